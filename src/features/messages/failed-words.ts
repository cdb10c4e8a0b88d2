import type { FailedKind } from '#contract/messages-staff.ts'

/** What each kind of failed delivery was, in words. */
export const kindWords: Record<FailedKind, string> = {
  contact: 'Message from the contact form',
  confirm_email: 'Link to confirm an address',
  reset_password: 'Link for a new password',
  one_time_code: 'One-time code',
  account: 'News of an account',
  visit: 'Confirmation of a visit',
  refund: 'News of a refund',
  payment_alert: 'Payment that needs a person',
  differences: 'Differences in the books',
  bank_account: 'Change of a bank account',
  access_token: 'New token for scripts',
  standing_lost: 'Loss of standing',
  decision: 'Decision about a provider',
  request: 'Question to a provider',
  company: 'Decision about a company',
  clean_up: 'Work behind the scenes',
}

/** Codes of mail servers and networks that come most, as people say them. */
const causes = new Map([
  ['ECONNREFUSED', 'The mail server refused the connection'],
  ['ECONNECTION', 'The mail server could not be reached'],
  ['ECONNRESET', 'The mail server broke the connection off'],
  ['ETIMEDOUT', 'The mail server did not answer in time'],
  ['ENOTFOUND', 'The mail server was not found'],
  ['EAUTH', 'The mail server did not accept our password'],
  ['EENVELOPE', 'The mail server did not accept the address'],
])

/** Why it failed: known causes in words, others as the server named them. */
export function causeWords(why: string): string {
  const code = why.split(' ').at(-1) ?? ''
  if (/^5\d\d$/.test(code)) return `The mail server refused it for good (${code})`
  if (/^4\d\d$/.test(code)) return `The mail server put it off until it was given up (${code})`
  return causes.get(code) ?? (why === '' ? 'Unknown' : why)
}

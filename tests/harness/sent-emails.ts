import type { Mail } from '#server/gateways/mail.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** Delivers queued emails and returns the newest one to an address. */
export async function lastMailTo(testApp: TestApp, email: string): Promise<Mail> {
  await testApp.drainOutbox()
  const mail = testApp.mails.findLast(({ to }) => to === email)
  if (mail === undefined) throw new Error(`No email to ${email}`)
  return mail
}

/** The token in the first link to a page, such as `verify`, in an email. */
export function tokenIn(mail: Mail, page: 'verify' | 'reset-password'): string {
  return new RegExp(`/${page}/([A-Za-z0-9_-]{43})\\b`).exec(mail.text)?.[1] ?? ''
}

/** The six-digit code in an email. */
export function codeIn(mail: Mail): string {
  return /^ {4}([0-9]{6})$/m.exec(mail.text)?.[1] ?? ''
}

import { type AttemptName, attemptLimits } from '#server/kernel/attempts.ts'
import { type LimitName, limits } from '#server/kernel/rate-limit.ts'

// A limit without words does not compile: the page lists them all.

const calls: Record<LimitName, string> = {
  all: 'All calls of one network together',
  standing: 'Open pages of staff asking how they stand, of one network',
  search: 'Searches of one network; beyond it the proof of work is asked for',
  slot: 'Questions of one network whether a time is free',
  search_proved: 'Searches of a network that has sent the proof of work',
  token: 'Calls with one personal access token',
  contact: 'Messages by the contact form from one network',
  challenge: 'Challenges for the proof of work given to one network',
  webhook: 'Events of a gateway from one network',
  upload: 'Pictures and documents sent from one network',
  gallery_upload: 'Images sent to the gallery from one network',
}

const tries: Record<AttemptName, string> = {
  sign_in_account: 'Wrong passwords for one account from one network',
  sign_in_network: 'Wrong passwords from one network',
  sign_in_burst: 'Sign-ins with a wrong password in a row',
  second_factor: 'Wrong authenticator codes of one account',
  code_wrong: 'Wrong one-time codes of one account, over all resends',
  code_hour: 'One-time codes mailed to one account in an hour',
  code_day: 'One-time codes mailed to one account in a day',
  pending_code: 'Wrong codes for one registration',
  pending_network: 'Codes of registrations tried from one network',
  forgot_password: 'Links to a new password mailed to one account',
  verification: 'Mails to confirm one address',
  mail_network: 'Mails one network may have sent to accounts',
  register: 'New accounts from one network',
  already_registered: 'Mails about an address that is registered already',
  hold: 'Times newly held by one patient',
  register_own: 'Look-ups of a provider’s own number',
  register_all: 'Look-ups in the registers, everybody together',
  ask_again: 'Letters by which staff ask one provider for something',
  document: 'Documents of one provider',
  gallery_author: 'Images one author adds to the gallery',
  export: 'Exports by one account',
  bank_change: 'Changes to the bank accounts of one provider',
  access_token: 'Personal access tokens made by one account',
  staff_change: 'Changes to the staff by one superuser',
  audit_check: 'Checks of the whole audit log by one superuser',
  captcha: 'Uses of one solved challenge',
}

const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
]

/** `15 minutes`, `an hour` as "hour". */
function windowText(ms: number): string {
  const [unit = 1, name = 'millisecond'] = UNITS.find(([one]) => ms % one === 0) ?? []
  return ms === unit ? name : `${ms / unit} ${name}s`
}

/** Every limit there is: its name, what is counted, how many, and in which time. */
export function limitRows(): [name: string, what: string, many: number, window: string][] {
  const ofCalls = Object.entries(limits).map(([name, limit]) => ({
    name,
    ...limit,
    many: limit.calls,
  }))
  const ofTries = Object.entries(attemptLimits).map(([name, limit]) => ({
    name,
    ...limit,
    many: limit.count,
  }))
  const words = new Map<string, string>([...Object.entries(calls), ...Object.entries(tries)])
  return [...ofCalls, ...ofTries].map(({ name, many, perMs }) => [
    name,
    words.get(name) ?? name,
    many,
    windowText(perMs),
  ])
}

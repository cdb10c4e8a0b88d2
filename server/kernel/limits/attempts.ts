import { MAX_UNPAID_A_DAY } from '#contract/booking.ts'
import { DESK_VISITS_A_DAY } from '#contract/booking-desk.ts'
import { AUTHOR_IMAGES_A_DAY } from '#contract/gallery-staff.ts'
import { LOOK_UPS_A_DAY } from '#contract/verification.ts'
import { countedFor } from './network.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type AttemptLimit = { count: number; perMs: number }

/**
 * What is counted in the database, so that all processes count together and a restart forgets
 * nothing. Each is a number of tries of one subject in any window of that length.
 */
export const attemptLimits = {
  /** Wrong passwords for one account from one network. */
  sign_in_account: { count: 5, perMs: 15 * MINUTE },
  /** Wrong passwords from one network. */
  sign_in_network: { count: 20, perMs: 15 * MINUTE },
  sign_in_burst: { count: 3, perMs: 10 * SECOND },
  /** Wrong passwords for one account from all networks together; beyond it `sign_in_slowed` holds. */
  sign_in_everywhere: { count: 30, perMs: HOUR },
  /** What each network has left then: enough for whoever knows the password, and a guess at a time. */
  sign_in_slowed: { count: 1, perMs: 15 * MINUTE },
  /** Wrong authenticator codes of one account, from wherever. */
  second_factor: { count: 10, perMs: HOUR },
  /** Wrong recovery codes, which are there for when the app is of no use. */
  recovery_code: { count: 10, perMs: HOUR },
  /** Wrong one-time codes of one account, over all resends. */
  code_wrong: { count: 15, perMs: DAY },
  code_hour: { count: 5, perMs: HOUR },
  code_day: { count: 10, perMs: DAY },
  /** Wrong codes for one registration handle. */
  pending_code: { count: 5, perMs: DAY },
  /** Codes one network may try with handles, which anybody can make up. */
  pending_network: { count: 60, perMs: HOUR },
  forgot_password: { count: 3, perMs: HOUR },
  verification: { count: 3, perMs: HOUR },
  /** Mails one network may have sent to accounts it does not have to prove are its own. */
  mail_network: { count: 30, perMs: HOUR },
  /** Messages of everybody to one provider, and to the people who run the site. */
  contact_provider: { count: 20, perMs: HOUR },
  contact_site: { count: 200, perMs: HOUR },
  /** New accounts from one network. */
  register: { count: 20, perMs: HOUR },
  /** Mails about an address that is registered already. */
  already_registered: { count: 3, perMs: HOUR },
  /** New times kept, by one patient. Counting also makes two requests of theirs wait for each other. */
  hold: { count: 60, perMs: HOUR },
  /** New times kept from one network by people who have never paid; they wait for each other, too. */
  hold_network: { count: 60, perMs: HOUR },
  /**
   * New times kept from one network by visitors: as many as one patient may hold in a day, because a
   * visitor is whoever drops a cookie. What an account takes over is given back.
   */
  visitor_hold: { count: MAX_UNPAID_A_DAY, perMs: DAY },
  /** Desk visits put in by one provider; each may be mailed about. */
  desk_visit: { count: DESK_VISITS_A_DAY, perMs: DAY },
  /** Look-ups of a provider's own number. */
  register_own: { count: LOOK_UPS_A_DAY, perMs: DAY },
  /** Look-ups of everybody together: the registers belong to somebody else. */
  register_all: { count: 30, perMs: MINUTE },
  /** Emails by which one provider is asked for something. */
  ask_again: { count: 5, perMs: DAY },
  /** Documents of one provider, each up to 5 MB. */
  document: { count: 20, perMs: DAY },
  /** Images one author adds to the gallery. */
  gallery_author: { count: AUTHOR_IMAGES_A_DAY, perMs: DAY },
  export: { count: 10, perMs: HOUR },
  /** Changes to the bank accounts of one provider; each is mailed to them. */
  bank_change: { count: 30, perMs: HOUR },
  /** Outside calendars read because their provider asked, and not because it was time. */
  outside_read: { count: 30, perMs: HOUR },
  /** Batches of appointments one provider imports. */
  import_batch: { count: 120, perMs: HOUR },
  /** Tokens for scripts made by one account; each is mailed about. */
  access_token: { count: 30, perMs: HOUR },
  /** Walks along the whole audit log, asked for by one superuser. */
  audit_check: { count: 30, perMs: HOUR },
  /** Colleagues added, changed or removed by one superuser; each is mailed about it. */
  staff_change: { count: 60, perMs: HOUR },
  /** Each solved challenge counts once, for longer than it lives. */
  captcha: { count: 1, perMs: 2 * HOUR },
} as const satisfies Record<string, AttemptLimit>

export type AttemptName = keyof typeof attemptLimits

/** Counts tries inside a transaction; a refused try is undone with it. */
export type Attempts = {
  /**
   * Counts one try of a subject, or throws `rate_limited` when it has had as many as there are, `share`
   * times over.
   */
  take(name: AttemptName, subject: string, share?: number): Promise<void>
  /** Counts one try of a subject; whether it is within the limit. It stays counted either way. */
  count(name: AttemptName, subject: string): Promise<boolean>
  /** Takes one try back: it turned out to be a right one. */
  giveBack(name: AttemptName, subject: string): Promise<void>
  /** Remembers until an instant, in all processes, that a network has proved to be a person's. */
  keepProof(network: string, until: number): Promise<void>
  /** Until when it has, epoch milliseconds; null when it has not, or that is over. */
  findProof(network: string): Promise<number | null>
}

/** Counts one try of a network, and of the IPv6 site around it. Throws as `take` does. */
export async function takeOfNetwork(
  attempts: Attempts,
  name: AttemptName,
  network: string,
): Promise<void> {
  for (const { key, share } of countedFor(network)) await attempts.take(name, key, share)
}

/** A window is counted in slices, and one more than fits, so that no window holds too many. */
const SLICES = 6

type Slice = { slice: number; count: number }

function sliceMs(name: AttemptName): number {
  return attemptLimits[name].perMs / SLICES
}

/** The slice an instant lies in. */
export function sliceAt(name: AttemptName, now: number): number {
  return Math.floor(now / sliceMs(name))
}

/** The oldest slice that still counts at an instant. */
export function oldestSlice(name: AttemptName, now: number): number {
  return sliceAt(name, now) - SLICES
}

/** The instant from which on tries still count, epoch milliseconds. */
export function countedSince(name: AttemptName, now: number): number {
  return oldestSlice(name, now) * sliceMs(name)
}

/** When a slice counts for nothing any more, epoch milliseconds. */
export function sliceEnd(name: AttemptName, slice: number): number {
  return Math.ceil((slice + SLICES + 1) * sliceMs(name))
}

/**
 * Seconds to wait after a try that is one of `slices`, or null when it is within `share` times the
 * limit.
 */
export function secondsToWait(
  name: AttemptName,
  slices: Slice[],
  { now, share }: { now: number; share: number },
): number | null {
  const counted = slices.filter(({ count }) => count > 0)
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total <= attemptLimits[name].count * share) return null
  const oldest = Math.min(...counted.map(({ slice }) => slice))
  return Math.max(1, Math.ceil((sliceEnd(name, oldest) - now) / SECOND))
}

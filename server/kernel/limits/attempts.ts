import { MAX_UNPAID_PER_DAY } from '#contract/booking.ts'
import { MAX_DESK_VISITS_PER_DAY } from '#contract/booking-desk.ts'
import { AUTHOR_IMAGES_PER_DAY } from '#contract/gallery.ts'
import { LOOK_UPS_PER_DAY } from '#contract/verification.ts'
import { limitKeys } from './network.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type AttemptLimit = { count: number; perMs: number }

/**
 * Limits counted in the database, so that they span all processes and survive restarts. Each allows `count`
 * attempts per subject in any window of `perMs`.
 */
export const attemptLimits = {
  /** Wrong passwords for one address from one network; staff accounts count apart. */
  sign_in_account: { count: 5, perMs: 15 * MINUTE },
  /** Wrong passwords from one network. */
  sign_in_network: { count: 20, perMs: 15 * MINUTE },
  sign_in_burst: { count: 3, perMs: 10 * SECOND },
  /** Wrong passwords for one address from all networks; once exceeded, `sign_in_slowed` applies. */
  sign_in_everywhere: { count: 30, perMs: HOUR },
  /** What each network has left then: enough for the account's owner, and one guess at a time. */
  sign_in_slowed: { count: 1, perMs: 15 * MINUTE },
  /** Wrong authenticator codes of one account, from all networks. */
  second_factor: { count: 10, perMs: HOUR },
  /** Wrong recovery codes, counted separately: they are for when the app is unusable. */
  recovery_code: { count: 10, perMs: HOUR },
  /** Wrong one-time codes of one account, over all resends. */
  code_wrong: { count: 15, perMs: DAY },
  code_hour: { count: 5, perMs: HOUR },
  code_day: { count: 10, perMs: DAY },
  /** Wrong codes for one registration handle. */
  pending_code: { count: 5, perMs: DAY },
  /** Codes one network may try with registration handles, which anybody can make up. */
  pending_network: { count: 60, perMs: HOUR },
  forgot_password: { count: 3, perMs: HOUR },
  verification: { count: 3, perMs: HOUR },
  /** Emails one network may trigger to accounts it need not prove it owns. */
  mail_network: { count: 30, perMs: HOUR },
  /** Contact messages from all senders to one provider, and to the site's operators. */
  contact_provider: { count: 20, perMs: HOUR },
  contact_site: { count: 200, perMs: HOUR },
  /** New accounts from one network. */
  register: { count: 20, perMs: HOUR },
  /** Emails saying that an address is already registered. */
  already_registered: { count: 3, perMs: HOUR },
  /** New holds of one patient. Counting also serializes their concurrent requests. */
  hold: { count: 60, perMs: HOUR },
  /**
   * New holds from one network by people who have never paid, each beyond it with a solved challenge; counting
   * serializes these too.
   */
  hold_network: { count: 60, perMs: HOUR },
  /**
   * New visitor holds from one network, each beyond it with a solved challenge: as many as one patient may have
   * in a day, because clearing cookies makes a new visitor. Holds that an account takes over are given back.
   */
  visitor_hold: { count: MAX_UNPAID_PER_DAY, perMs: DAY },
  /** Desk visits entered by one provider; each may send an email. */
  desk_visit: { count: MAX_DESK_VISITS_PER_DAY, perMs: DAY },
  /** Register look-ups by one provider of their own number. */
  register_own: { count: LOOK_UPS_PER_DAY, perMs: DAY },
  /** Register look-ups by everybody together: the registers belong to third parties. */
  register_all: { count: 30, perMs: MINUTE },
  /** Emails asking one provider for information. */
  ask_again: { count: 5, perMs: DAY },
  /** Documents uploaded by one provider, each up to 5 MB. */
  document: { count: 20, perMs: DAY },
  /** Images one author adds to the gallery. */
  gallery_author: { count: AUTHOR_IMAGES_PER_DAY, perMs: DAY },
  export: { count: 10, perMs: HOUR },
  /** Changes to the bank accounts of one provider; each sends them an email. */
  bank_change: { count: 30, perMs: HOUR },
  /** External calendars read on a provider's request rather than on schedule. */
  outside_read: { count: 30, perMs: HOUR },
  /** Batches of appointments one provider imports. */
  import_batch: { count: 120, perMs: HOUR },
  /** Access tokens created by one account; each sends an email. */
  access_token: { count: 30, perMs: HOUR },
  /** Checks of the whole audit log by one superuser. */
  audit_check: { count: 30, perMs: HOUR },
  /** Staff accounts added, changed or removed by one superuser; each sends an email. */
  staff_change: { count: 60, perMs: HOUR },
  /** Emails that one provider, patient or member of staff causes, of all kinds together. */
  mail_provider: { count: 100, perMs: HOUR },
  mail_patient: { count: 60, perMs: HOUR },
  mail_staff: { count: 240, perMs: HOUR },
  /** Emails caused from one network by people who are not signed in. */
  mail_visitor: { count: 60, perMs: HOUR },
  /** Emails about phone and walk-in visits to one mailbox, from all providers. */
  mail_desk: { count: 5, perMs: HOUR },
  mail_desk_day: { count: 12, perMs: DAY },
  /** Emails to one patient about visits that others moved, proposed to move, or marked as missed. */
  mail_change: { count: 6, perMs: HOUR },
  /** Emails about registering to one mailbox. */
  mail_register: { count: 12, perMs: HOUR },
  /** Notices to one account about changes it makes itself. */
  mail_own: { count: 30, perMs: HOUR },
  /** Emails to one mailbox about a staff account. */
  mail_invited: { count: 6, perMs: HOUR },
  /** Emails of staff to one provider about their verification. */
  mail_decided: { count: 20, perMs: HOUR },
  /** Codes to one published address of a practice. */
  mail_proof: { count: 10, perMs: DAY },
  /** Each solved challenge counts once, for longer than it is valid. */
  captcha: { count: 1, perMs: 2 * HOUR },
} as const satisfies Record<string, AttemptLimit>

export type AttemptName = keyof typeof attemptLimits

/** Counts attempts inside a transaction; a refused attempt rolls back with it. */
export type Attempts = {
  /** Counts one attempt of a subject. Throws `rate_limited` beyond `share` times the limit. */
  take(name: AttemptName, subject: string, share?: number): Promise<void>
  /**
   * Counts one attempt of a subject and returns whether it is within the limit. It stays counted either way.
   */
  count(name: AttemptName, subject: string): Promise<boolean>
  /** Takes one attempt back because it turned out to be correct. */
  uncount(name: AttemptName, subject: string): Promise<void>
  /** Records until when, in all processes, a network counts as verified by a CAPTCHA. */
  keepProof(network: string, until: number): Promise<void>
  /** The end of that period, epoch milliseconds; null when there is none or it has passed. */
  findProof(network: string): Promise<number | null>
}

/** Counts one attempt of a network, and of the IPv6 site around it. Throws as `take` does. */
export async function countNetworkAttempt(
  attempts: Attempts,
  name: AttemptName,
  network: string,
): Promise<void> {
  for (const { key, share } of limitKeys(network)) await attempts.take(name, key, share)
}

/** A window is counted in slices, plus one extra slice, so that no window exceeds the limit. */
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

/** Attempts count from this instant on, epoch milliseconds. */
export function countedSince(name: AttemptName, now: number): number {
  return oldestSlice(name, now) * sliceMs(name)
}

/** When a slice stops counting, epoch milliseconds. */
export function sliceEnd(name: AttemptName, slice: number): number {
  return Math.ceil((slice + SLICES + 1) * sliceMs(name))
}

/**
 * Seconds to wait after an attempt counted in `slices`, or null when it is within `share` times the limit.
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

import { type StaffRole, staffRefusal } from '#contract/base/staff.ts'
import type {
  CheckOutcome,
  Difference,
  LossReason,
  RegistrationStatus,
} from '#contract/verification.ts'

/** Whether a staff role may verify: see non-public data, and decide. */
export function mayVerify(role: StaffRole): boolean {
  return staffRefusal('verify', role) === null
}

type StaffPerson = { first_name: string | null; last_name: string | null; email: string | null }

/**
 * A member of staff as verifiers see them: by name, or by address, because staff are added by address alone.
 * Null where there was none.
 */
export function staffName({
  first_name: first,
  last_name: last,
  email,
}: StaffPerson): string | null {
  const name = `${first ?? ''} ${last ?? ''}`.trim()
  return name === '' ? email : name
}

/** Purpose that registrant codes are bound to, besides the proof itself. */
export const CODE_PURPOSE = 'registrant'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What a provider claims. */
type Claim = { name: string; registration_number: string }
type Answer = Claim & { standing: RegistrationStatus }

export type Verdict = { outcome: CheckOutcome; differences: Difference[] }

/**
 * Normalized name for comparison (specification, section 4): NFKC, case-insensitive, with runs of spaces
 * collapsed. Letters that merely look alike stay different.
 */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/**
 * Compares a claim with the register's entry for its number; null if there is none. The documented rule
 * covers number and name; the registration also has to be in good standing.
 */
export function compare(claim: Claim, answer: Answer | null): Verdict {
  if (answer === null) return { outcome: 'not_found', differences: ['number'] }
  const differences: Difference[] = []
  if (claim.registration_number.trim() !== answer.registration_number.trim()) {
    differences.push('number')
  }
  if (nameKey(claim.name) !== nameKey(answer.name)) differences.push('name')
  const isAsClaimed = differences.length === 0
  if (answer.standing !== 'good') differences.push('standing')
  if (!isAsClaimed) return { outcome: 'differs', differences }
  return { outcome: answer.standing === 'good' ? 'match' : 'not_in_standing', differences }
}

/** 02:00 UTC, the time of the nightly check. */
const NIGHT_AT = 2 * HOUR

/** Time of the next nightly check after an instant, epoch milliseconds. */
export function nextNight(now: number): number {
  return Math.floor((now - NIGHT_AT) / DAY) * DAY + DAY + NIGHT_AT
}

/** Minimum time between two checks that count as different nights, however long each took. */
const MIN_BETWEEN_NIGHTS_MS = 20 * HOUR

type Recheck = { verdict: Verdict; standing: RegistrationStatus | null; doubtSince: number | null }

/**
 * Outcome of a nightly check. A bad status counts at once. A missing number, another name, or an unrecognized status
 * may be an error of the register: the provider only loses Verified if it persists on a second night.
 */
export function judgeNightlyCheck(
  { verdict, standing, doubtSince }: Recheck,
  now: number,
): 'fine' | 'doubt' | LossReason {
  if (verdict.outcome === 'match') return 'fine'
  if (standing !== null && standing !== 'good' && standing !== 'unknown') return 'standing'
  if (doubtSince === null || now - doubtSince < MIN_BETWEEN_NIGHTS_MS) return 'doubt'
  if (verdict.outcome === 'not_found') return 'vanished'
  return standing === 'unknown' ? 'standing' : 'renamed'
}

/** Failures in one batch from which the register or its list is more likely wrong. */
const SUSPICIOUS_FROM = 10

/** Whether a batch casts doubt on the register rather than on the providers in it. */
export function isRegisterInDoubt({ asked, failed }: { asked: number; failed: number }): boolean {
  return failed >= SUSPICIOUS_FROM && failed * 2 > asked
}

/** Pause after a register did not respond or its responses were implausible. */
export const POSTPONE_MS = HOUR

import { type StaffRole, whyNot } from '#contract/staff.ts'
import type { CheckOutcome, Difference, LossReason, Standing } from '#contract/verification.ts'

/** Who of the staff may verify: they see what is not public, and decide. */
export function mayVerify(role: StaffRole): boolean {
  return whyNot('verify', role) === null
}

type Named = { title: string | null; first_name: string; last_name: string }

/** The name as patients see it; the register's has no title. */
export function fullName({ title, first_name: first, last_name: last }: Named): string {
  return [title, first, last].filter(Boolean).join(' ')
}

/** What the codes that prove a registrant are bound to, besides the proof itself. */
export const CODE_PURPOSE = 'registrant'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What a provider claims. */
type Claim = { name: string; registration_number: string }
type Answer = Claim & { standing: Standing }

export type Verdict = { outcome: CheckOutcome; differences: Difference[] }

/**
 * A name as it is compared (specification, section 4): case ignored, runs of spaces one space, after
 * NFKC. Letters that only look alike stay different.
 */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/**
 * Compares a claim with what the register says about its number; null is nobody. The documented rule is
 * number and name; the standing has to be good besides.
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

/** Two o'clock in the morning, UTC: the hour of the nightly check. */
const NIGHT_AT = 2 * HOUR

/** When the nightly check comes next after an instant, epoch milliseconds. */
export function nextNight(now: number): number {
  return Math.floor((now - NIGHT_AT) / DAY) * DAY + DAY + NIGHT_AT
}

/** So much later counts as another night, however long each took. */
const ANOTHER_NIGHT_MS = 20 * HOUR

type Recheck = { verdict: Verdict; standing: Standing | null; doubtSince: number | null }

/**
 * What a nightly check comes to. A bad standing counts at once. A number that has vanished, another
 * name, or a status in words nobody knows may be a slip of the register: only when it is so on a second
 * night is the standing lost.
 */
export function judgeNight(
  { verdict, standing, doubtSince }: Recheck,
  now: number,
): 'fine' | 'doubt' | LossReason {
  if (verdict.outcome === 'match') return 'fine'
  if (standing !== null && standing !== 'good' && standing !== 'unknown') return 'standing'
  if (doubtSince === null || now - doubtSince < ANOTHER_NIGHT_MS) return 'doubt'
  if (verdict.outcome === 'not_found') return 'vanished'
  return standing === 'unknown' ? 'standing' : 'renamed'
}

/** So many in one go that it is rather the register, or its list, that is wrong. */
const SUSPICIOUS_FROM = 10

/** Whether a batch casts doubt on the register rather than on those who are in it. */
export function isRegisterInDoubt({ asked, failed }: { asked: number; failed: number }): boolean {
  return failed >= SUSPICIOUS_FROM && failed * 2 > asked
}

/** How long a register is left alone after it did not answer, or answered as no register does. */
export const POSTPONE_MS = HOUR

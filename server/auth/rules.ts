import type { SessionEndReason, SessionStatus } from '#contract/auth.ts'
import { STEP_UP_MS } from '#contract/auth-second-factor.ts'
import { DEFAULT_REGION, type Region, regionFacts } from '#contract/base/region.ts'
import type { EndReason } from '#db/tables/auth.ts'
import type { Session } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type AccountKind = Session['kind']

/** How long a session lasts in milliseconds: `idle` since its last use, `life` altogether. */
export const sessionTimes: Record<AccountKind, { idle: number; life: number }> = {
  staff: { idle: 15 * MINUTE, life: 8 * HOUR },
  provider: { idle: 30 * MINUTE, life: 12 * HOUR },
  patient: { idle: 24 * HOUR, life: 30 * DAY },
}

export const ACCESS_LIFE_MS = 10 * MINUTE

/** Tabs of one browser may refresh at the same moment: within this time they get the same new tokens. */
export const REFRESH_GRACE_MS = 10_000

/** Last use is recorded at most this often. */
export const TOUCH_EVERY_MS = MINUTE

/** How long emailed links work, by purpose. A registration's handle lives as long as its link. */
export const linkLife = {
  verify_email: DAY,
  pending: DAY,
  change_email: DAY,
  reset_password: 30 * MINUTE,
} as const

type SessionLifetime = { last_used_at: number; expires_at: number; ended_at: number | null }

/** Why a session has ended at an instant, or null while it is live. */
export function sessionEndReason(
  session: SessionLifetime,
  kind: AccountKind,
  now: number,
): 'ended' | 'idle' | null {
  if (session.ended_at !== null || now >= session.expires_at) return 'ended'
  return now - session.last_used_at > sessionTimes[kind].idle ? 'idle' : null
}

type SessionFacts = SessionLifetime & {
  kind: AccountKind
  role: SessionStatus['role']
  end_reason: EndReason | null
  suspended_at: number | null
  erased_at: number | null
}

const sessionEnds: Partial<Record<EndReason, SessionEndReason>> = {
  role: 'role',
  ended: 'elsewhere',
  everywhere: 'elsewhere',
  password: 'password',
  signed_out: 'signed_out',
  replaced: 'signed_out',
  reuse: 'reuse',
}

/** The status of a staff session at an instant: its role, or why it has ended. */
export function sessionStatusOf(session: SessionFacts, now: number): SessionStatus {
  const over = sessionEndReason(session, session.kind, now)
  if (session.suspended_at !== null || session.erased_at !== null) {
    return { role: null, over: 'closed' }
  }
  if (over === null) {
    return session.role === null ? { role: null, over: 'ended' } : { role: session.role, over }
  }
  if (over === 'idle' || session.end_reason === 'idle') return { role: null, over: 'idle' }
  const reason = session.end_reason
  return { role: null, over: (reason === null ? undefined : sessionEnds[reason]) ?? 'ended' }
}

/** When a proof given now expires. */
export function stepUpUntil(now: number): number {
  return now + STEP_UP_MS
}

/** Refuses a sensitive change without a proof of the last five minutes. */
export function assertSteppedUp(session: Session, now: number): void {
  if ((session.steppedUpUntil ?? 0) <= now) throw new AppError('step_up_required')
}

const EARLIEST_BIRTH = '1900-01-01'

/** Why somebody born on a day can have no account of their own yet; null when they can. */
function birthdayProblem(date: string, region: Region, now: number): string | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate()
  // ISO dates compare as strings.
  if (date >= today.toString()) return 'Your date of birth must be in the past.'
  if (date < EARLIEST_BIRTH) return 'Check the year of your date of birth.'
  const { adultFrom } = regionFacts[region]
  const adultOn = Temporal.PlainDate.from(date).add({ years: adultFrom })
  if (adultOn.toString() <= today.toString()) return null
  return `You must be ${adultFrom} or over to have an account.`
}

/**
 * Refuses a date of birth in the future, too long ago for anybody alive, or of somebody too young for an
 * account: under 16 in the UK, 18 in the USA. `now` is epoch ms.
 */
export function assertBirthday(
  date: string,
  { region = DEFAULT_REGION, now }: { region?: Region | undefined; now: number },
): void {
  const message = birthdayProblem(date, region, now)
  if (message === null) return
  throw new AppError('invalid_input', {}, { issues: [{ path: 'date_of_birth', message }] })
}

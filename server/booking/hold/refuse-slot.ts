import type { ErrorCode } from '#contract/errors.ts'
import { dateFormat } from '#contract/intl.ts'
import { regionFacts } from '#contract/region.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { VisitNeeds } from '#server/availability/rules.ts'
import { freeAround } from '#server/availability/slots/free-times.ts'
import { nearestOf, shownName } from '#server/booking/rules.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { listOwnIn, type Span } from './slot-store.ts'

type Refused = {
  code: Extract<ErrorCode, 'slot_taken' | 'slot_not_offered' | 'slot_passed'>
  providerNo: number
  wanted: Instant
  needs: VisitNeeds
}

/**
 * The refusal of a time, with the three nearest such a visit can have under `nearest`: ISO instants parted by
 * spaces, empty when there are none.
 */
export async function refuseSlot(ctx: Context, refused: Refused): Promise<AppError> {
  const { code, providerNo, wanted, needs } = refused
  const free = await freeAround(ctx, { providerNo, needs }, wanted)
  const nearest = nearestOf(free, wanted)
  return new AppError(code, { nearest: nearest.map(toIso).join(' ') })
}

type Other = Awaited<ReturnType<typeof listOwnIn>>[number]

/** Which visit it is: with whom, when, and how the clinic's clock and calendar show that. */
function detailsOf(other: Other): Record<string, string> {
  const { locale, hour12 } = regionFacts[other.region]
  const show = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: other.time_zone, ...options }).format(other.start_at)
  return {
    provider: shownName(other),
    startsAt: toIso(other.start_at),
    timeZone: other.time_zone,
    time: show({ hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 }),
    date: show({ weekday: 'long', day: 'numeric', month: 'long' }),
  }
}

/**
 * Refuses a time while the viewer has another one then, at whichever provider's: `visits_overlap`, with
 * that visit in its details. Holds of one patient take turns, so that of two at once one is refused.
 */
export async function assertNoOverlap(ctx: SignedIn, tx: Tx, span: Span): Promise<void> {
  await assertPatientFree(ctx, tx, { patientNo: ctx.session.accountNo, span, exceptNo: null })
}

type Wish = { patientNo: number; span: Span; exceptNo: number | null }

/** The same of any patient; `exceptNo` is a visit that would make room for it. */
export async function assertPatientFree(ctx: Context, tx: Tx, wish: Wish): Promise<void> {
  const { patientNo, exceptNo } = wish
  const { start, end } = wish.span
  const [other] = await listOwnIn(tx.db, { patientNo, start, end, now: ctx.now(), exceptNo })
  if (other !== undefined) throw new AppError('visits_overlap', detailsOf(other))
}

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

type SlotRefusal = {
  code: Extract<ErrorCode, 'slot_taken' | 'slot_not_offered' | 'slot_passed'>
  providerNo: number
  wanted: Instant
  needs: VisitNeeds
}

/**
 * The error that refuses a time. `nearest` holds the three nearest free times for such a visit: ISO instants
 * separated by spaces, empty when there are none.
 */
export async function refuseSlot(ctx: Context, refusal: SlotRefusal): Promise<AppError> {
  const { code, providerNo, wanted, needs } = refusal
  const free = await freeAround(ctx, { providerNo, needs }, wanted)
  const nearest = nearestOf(free, wanted)
  return new AppError(code, { nearest: nearest.map(toIso).join(' ') })
}

type Other = Awaited<ReturnType<typeof listOwnIn>>[number]

/** Identifies the other visit: provider, and time in the clinic's zone. */
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
 * Throws `visits_overlap`, with the other visit in its details, when the viewer has a visit or hold then with
 * any provider. Holds of one patient are serialized, so one of two concurrent ones is refused.
 */
export async function assertNoOverlap(ctx: SignedIn, tx: Tx, span: Span): Promise<void> {
  await assertPatientFree(ctx, tx, { patientNo: ctx.session.accountNo, span, exceptNo: null })
}

type OverlapQuery = { patientNo: number; span: Span; exceptNo: number | null }

/** The same check for any patient; `exceptNo` is the visit that would be moved. */
export async function assertPatientFree(ctx: Context, tx: Tx, query: OverlapQuery): Promise<void> {
  const { patientNo, exceptNo } = query
  const { start, end } = query.span
  const [other] = await listOwnIn(tx.db, { patientNo, start, end, now: ctx.now(), exceptNo })
  if (other !== undefined) throw new AppError('visits_overlap', detailsOf(other))
}

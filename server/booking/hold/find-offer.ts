import type { BelievedVisit, SlotAnswer, SlotInput } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import { paymentLead } from '#server/availability/hours/hours-rules.ts'
import { isTimeToPay, slotAt } from '#server/booking/rules.ts'
import { findOwnVisit, type VisitRow } from '#server/booking/visits/visit-store.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { refuseSlot } from './refuse-slot.ts'
import { findBookable, listClaimsIn, listOffered, type Span } from './slot-store.ts'

export type Offer = {
  provider: NonNullable<Awaited<ReturnType<typeof findBookable>>>
  slot: Awaited<ReturnType<typeof listOffered>>[number]
  span: Span
  /** Until when it has to be paid for: before the provider's notice is reached. */
  payBy: Instant
}

function spanOf(providerNo: number, slot: Offer['slot']): Span {
  return { providerNo, start: slot.start_at, end: slot.start_at + slot.minutes * 60_000 }
}

/**
 * The time an input names, as its provider offers it. Refuses what is over, what was never offered,
 * and providers who take no bookings, unknown ones among them. Whether it is free is another question.
 */
export async function findOffer(ctx: Context, wanted: SlotInput): Promise<Offer> {
  const { db } = ctx.database
  const provider = await findBookable(db, wanted.providerId)
  if (provider?.verification_status !== 'Verified') throw new AppError('provider_not_bookable')
  if ((wanted.region ?? provider.region) !== provider.region) {
    throw new AppError('provider_not_found')
  }
  const instants = slotAt(wanted, provider.time_zone)
  const [first = 0] = instants
  const coming = instants.filter((instant) => instant > ctx.now())
  const refused = { providerNo: provider.no, wanted: first }
  if (coming.length === 0) throw await refuseSlot(ctx, { ...refused, code: 'slot_passed' })
  const [slot] = await listOffered(db, provider.no, coming)
  if (slot === undefined) throw await refuseSlot(ctx, { ...refused, code: 'slot_not_offered' })
  const payBy = slot.start_at - paymentLead(provider.notice_minutes)
  return { provider, slot, span: spanOf(provider.no, slot), payBy }
}

const NO: ReadonlySet<string> = new Set([
  'slot_passed',
  'slot_not_offered',
  'provider_not_bookable',
])

async function isAvailable(ctx: Context, input: SlotInput): Promise<boolean> {
  const { slot, span, payBy } = await findOffer(ctx, input)
  if (slot.free === 1) return isTimeToPay(payBy, ctx.now())
  const claims = await listClaimsIn(ctx.database.db, span)
  const accountNo = ctx.session?.accountNo
  // The wallet asks while it holds the very time it asks about.
  return claims.some(
    (one) => one.patient_no === accountNo && one.state === 'held' && one.hold_until > ctx.now(),
  )
}

/** Whether a time could be had at this moment: advice, because only a hold decides. */
export async function checkSlot(ctx: Context, input: SlotInput): Promise<SlotAnswer> {
  try {
    return { available: await isAvailable(ctx, input) }
  } catch (error) {
    if (error instanceof AppError && NO.has(error.code)) return { available: false }
    throw error
  }
}

/** Whether a day and a time by the clock of the main place, as holds read them, mean an instant. */
function isMeant(instant: number, when: { date: string; time: string }, timeZone: string): boolean {
  try {
    return slotAt(when, timeZone).includes(instant)
  } catch (error) {
    // A time no clock shows is none of ours.
    if (error instanceof AppError) return false
    throw error
  }
}

function wallTime(row: VisitRow, instant: number): string {
  const minutes = Math.floor((row.wall_at + instant - row.start_at) / 60_000) % 1_440
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

function differences(row: VisitRow, believed: BelievedVisit, timeZone: string): string[] {
  const { date, time, endTime, isFollowUp, purpose } = believed
  const facts: [name: string, differs: boolean][] = [
    ['provider', (believed.providerId ?? row.provider_id) !== row.provider_id],
    ['region', (believed.region ?? row.region) !== row.region],
    [
      'time',
      date !== undefined && time !== undefined && !isMeant(row.start_at, { date, time }, timeZone),
    ],
    ['end', endTime !== undefined && endTime !== wallTime(row, row.end_at)],
    ['type', isFollowUp !== undefined && isFollowUp !== (row.visit_type === 'follow_up')],
    ['purpose', purpose !== undefined && purpose.trim() !== row.purpose],
  ]
  return facts.filter(([, differs]) => differs).map(([name]) => name)
}

/** What of a booking of the viewer's is not as a caller believes it to be, by name. */
export async function whatDiffers(
  ctx: SignedIn,
  bookingId: string,
  believed: BelievedVisit,
): Promise<string[]> {
  const { db } = ctx.database
  const row = await findOwnVisit(db, bookingId, ctx.session.accountNo)
  if (row === undefined) throw new AppError('not_found')
  const provider = await findBookable(db, row.provider_id)
  return differences(row, believed, provider?.time_zone ?? row.time_zone)
}

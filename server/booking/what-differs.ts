import type { BelievedVisit } from '#contract/booking.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { slotAt } from './rules.ts'
import { findBookable } from './slot-store.ts'
import { findOwnVisit, type VisitRow } from './visit-store.ts'

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

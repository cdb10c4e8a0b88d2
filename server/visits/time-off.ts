import { toIso } from '#contract/time.ts'
import type { VisitInTimeOff } from '#contract/visits.ts'
import { absenceFinder } from '#server/availability/hours/find-absence.ts'
import { listUpcomingDeskVisits } from '#server/booking/desk/read-desk.ts'
import type { SignedIn } from '#server/context.ts'
import { readMoneyOf } from '#server/payments/refunds/visit-money.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { listUpcoming } from './store.ts'

type AbsenceOf = Awaited<ReturnType<typeof absenceFinder>>

async function listPaid(ctx: SignedIn, no: number, absenceOf: AbsenceOf) {
  const { db } = ctx.database
  const overlapping = (await listUpcoming(db, no, ctx.now())).flatMap((row) => {
    const absenceId = absenceOf(row)
    return absenceId === null ? [] : [{ ...row, absenceId }]
  })
  const money = await readMoneyOf(
    db,
    overlapping.map((row) => row.payment_no),
  )
  return overlapping.map((row): VisitInTimeOff => {
    const found = money.get(row.payment_no)
    if (found === undefined) throw new Error('A booked visit is not paid for.')
    return {
      id: row.id,
      absenceId: row.absenceId,
      desk: null,
      patient: `${row.first_name} ${row.last_name}`.trim(),
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
      sequence: row.sequence,
      paid: found.paid,
      refund: found.left,
    }
  })
}

async function listDesk(ctx: SignedIn, absenceOf: AbsenceOf): Promise<VisitInTimeOff[]> {
  return (await listUpcomingDeskVisits(ctx)).flatMap(({ row, ...who }) => {
    const absenceId = absenceOf(row)
    if (absenceId === null) return []
    return {
      id: row.id,
      absenceId,
      desk: { kind: row.kind, phone: who.phone, hasEmail: who.email !== null },
      patient: who.name,
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
      sequence: row.sequence,
      paid: null,
      refund: null,
    }
  })
}

/**
 * The upcoming visits of the viewer, a provider, that lie in their time off, earliest first, with the refund
 * if cancelled: all that is left, and nothing for desk visits. Includes visits they have chosen to keep.
 */
export async function listInTimeOff(ctx: SignedIn): Promise<VisitInTimeOff[]> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  const absenceOf = await absenceFinder(db, no, ctx.now())
  const visits = [...(await listPaid(ctx, no, absenceOf)), ...(await listDesk(ctx, absenceOf))]
  return visits.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
}

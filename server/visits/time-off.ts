import { toIso } from '#contract/time.ts'
import type { VisitInTimeOff } from '#contract/visits.ts'
import { absenceFinder } from '#server/availability/hours/find-absence.ts'
import type { SignedIn } from '#server/context.ts'
import { readMoneyOf } from '#server/payments/refunds/visit-money.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { listComing } from './store.ts'

/**
 * The coming visits of the viewer, a provider, that lie in their time off, earliest first, with what
 * cancelling each would give back: all that is left. What they kept is still among them.
 */
export async function listInTimeOff(ctx: SignedIn): Promise<VisitInTimeOff[]> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  const absenceOf = await absenceFinder(db, no, ctx.now())
  const met = (await listComing(db, no, ctx.now())).flatMap((row) => {
    const absenceId = absenceOf(row)
    return absenceId === null ? [] : [{ ...row, absenceId }]
  })
  const money = await readMoneyOf(
    db,
    met.map((row) => row.payment_no),
  )
  return met.map((row) => {
    const found = money.get(row.payment_no)
    if (found === undefined) throw new Error('A booked visit is not paid for.')
    return {
      id: row.id,
      absenceId: row.absenceId,
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

import { type SqlBool, sql } from 'kysely'
import type { PaymentMethod } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'

/** A place in the line of holds that are over. */
export type OverdueHold = Pick<BookingRow, 'id' | 'hold_until'> & { no: number }

export type Overdue = {
  now: Instant
  after: OverdueHold | null
  limit: number
  /** Only those that could still be paid for at this gateway; null for those without a live payment. */
  gateway: PaymentMethod | null
}

/** Holds that are over, the longest first, from behind `after` on. */
export function listOverdueHolds(db: Db, { now, after, limit, gateway }: Overdue) {
  let query = db
    .selectFrom('bookings')
    .select(['no', 'id', 'hold_until'])
    .where(sql<SqlBool>`state = 'held'`)
    .where('hold_until', '<=', now)
    .where((eb) => {
      const live = eb
        .selectFrom('payments as p')
        .select(sql.lit(1).as('one'))
        .whereRef('p.booking_no', '=', 'bookings.no')
        .where('p.state', 'in', ['creating', 'open', 'capturing'])
      if (gateway === null) return eb.not(eb.exists(live))
      return eb.exists(live.where('p.gateway', '=', gateway))
    })
    .orderBy('hold_until')
    .orderBy('no')
    .limit(limit)
  if (after !== null) {
    query = query.where((eb) =>
      eb(eb.refTuple('hold_until', 'no'), '>', eb.tuple(after.hold_until, after.no)),
    )
  }
  return query.execute()
}

import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

type Wanted = {
  /** Both visits ended so long ago that their providers change nothing any more. */
  endedBefore: Instant
  /** How long after the end of the cancelled one the other has to be completed, in milliseconds. */
  within: number
}

/**
 * Visits that were cancelled with a fee kept, and in whose time somebody else's visit with the same
 * provider took place since, as its outcome says. Not those whose fee went back, and not while the payer
 * disputes the payment: that waits until staff have dealt with it.
 */
function selectRefilled(db: Db, { endedBefore, within }: Wanted) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('visit_changes as c', 'c.booking_no', 'b.no')
    .select(['b.no', 'b.id', 'b.paid_by', 'b.end_at', 'b.start_at', 'b.sequence', 'c.kept_minor'])
    .where('b.state', '=', 'cancelled')
    .where('b.end_at', '<=', endedBefore)
    .where('c.what', '=', 'cancelled')
    .where('c.kept_minor', '>', 0)
    .where((where) =>
      where.exists(
        where
          .selectFrom('bookings as o')
          .select('o.no')
          .whereRef('o.provider_no', '=', 'b.provider_no')
          .where('o.state', '=', 'confirmed')
          .whereRef('o.start_at', '=', 'b.start_at')
          .whereRef('o.no', '<>', 'b.no')
          .where('o.outcome', '=', 'completed')
          .where('o.end_at', '<=', endedBefore)
          // A time is given to nobody before it is free: booked, or moved there, since.
          .where((is) => is(is.fn.coalesce('o.changed_at', 'o.confirmed_at'), '>=', is.ref('c.at')))
          .where((is) => is('o.outcome_at', '<=', is(is.ref('b.end_at'), '+', within))),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('visit_changes as d')
            .select('d.no')
            .whereRef('d.booking_no', '=', 'b.no')
            .where('d.what', '=', 'refilled'),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('payment_differences as e')
            .select('e.object')
            .whereRef('e.payment_no', '=', 'b.paid_by')
            .where('e.kind', '=', 'dispute')
            .where('e.dealt_at', 'is', null),
        ),
      ),
    )
}

export type Refilled = NonNullable<Awaited<ReturnType<typeof findRefilled>>>

/** One of them by its number, if its fee still has to go back. */
export function findRefilled(db: Db, no: number, wanted: Wanted) {
  return selectRefilled(db, wanted).where('b.no', '=', no).executeTakeFirst()
}

type Page = Wanted & {
  endedAfter: Instant
  /** The last one of the page before. */
  after: Pick<Refilled, 'no' | 'end_at'> | null
  limit: number
}

/** A page of them, in the order they ended. */
export function listRefilled(
  db: Db,
  { endedAfter, after, limit, ...wanted }: Page,
): Promise<Refilled[]> {
  let query = selectRefilled(db, wanted)
    .where('b.end_at', '>=', endedAfter)
    .orderBy('b.end_at')
    .orderBy('b.no')
    .limit(limit)
  if (after !== null) {
    query = query.where((where) =>
      where.or([
        where('b.end_at', '>', after.end_at),
        where.and([where('b.end_at', '=', after.end_at), where('b.no', '>', after.no)]),
      ]),
    )
  }
  return query.execute()
}

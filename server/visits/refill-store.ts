import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

type RefillWindow = {
  /** Both visits must have ended before this, when their outcomes have become final for providers. */
  endedBefore: Instant
  /** Within how many milliseconds after its end the cancelled visit's replacement has to be completed. */
  within: number
}

/**
 * Visits cancelled with a fee kept, in whose time another visit with the same provider was then completed.
 * Without visits whose fee was already refunded, and those with an open dispute about the payment, which wait
 * until staff have dealt with it.
 */
function selectRefilled(db: Db, { endedBefore, within }: RefillWindow) {
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
          // The time only became free with the cancellation: the other visit was booked or moved there later.
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

/** A refilled visit by its number, if its fee is still to be refunded. */
export function findRefilled(db: Db, no: number, wanted: RefillWindow) {
  return selectRefilled(db, wanted).where('b.no', '=', no).executeTakeFirst()
}

type Page = RefillWindow & {
  endedAfter: Instant
  /** The last row of the previous page. */
  after: Pick<Refilled, 'no' | 'end_at'> | null
  limit: number
}

/** A page of refilled visits, in the order they ended. */
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

import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

export type FeedSpan = {
  /** Visits that end after this instant. */
  endAfter: Instant
  /** Cancelled visits only if they were cancelled after this instant. */
  cancelledAfter: Instant
  limit: number
}

/** Visits of a provider for a calendar feed, latest first. */
export function listForProvider(db: Db, providerNo: number, span: FeedSpan) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .selectAll('b')
    .select([
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'a.first_name as patient_first_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.end_at', '>', span.endAfter)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([
          where('b.state', '=', 'cancelled'),
          where('b.closed_at', '>', span.cancelledAfter),
        ]),
      ]),
    )
    .orderBy('b.start_at', 'desc')
    .orderBy('b.no', 'desc')
    .limit(span.limit)
    .execute()
}

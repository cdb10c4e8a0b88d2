import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

const HOUR_MS = 3_600_000

/** What was booked since an instant, by the hour and region it was paid in. */
export async function sumByHour(db: Db, since: Instant) {
  // Literally as in the index, which has all of it.
  const paid = sql`(case visit_type when 'follow_up' then follow_minor else first_minor end)`
  const rows = await db
    .selectFrom('bookings')
    .select([
      sql<number | string>`confirmed_at / ${sql.lit(HOUR_MS)}`.as('hour'),
      'region',
      'currency',
      ({ fn }) => fn.countAll<number | string>().as('n'),
      sql<number | string>`sum(${paid})`.as('minor'),
    ])
    .where(sql<SqlBool>`state in ('confirmed', 'cancelled')`)
    .where('confirmed_at', '>=', since)
    .groupBy([sql`1`, 'region', 'currency'])
    .execute()
  return rows.map(({ hour, n, minor, ...rest }) => ({
    ...rest,
    at: Number(hour) * HOUR_MS,
    bookings: Number(n),
    minor: Number(minor),
  }))
}

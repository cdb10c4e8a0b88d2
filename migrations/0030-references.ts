import { type Kysely, sql } from 'kysely'

/**
 * A reference that people can read out for every appointment, `AP-7K3M-2Q`: six characters of its id
 * where they are free, other six of it where they are not. Ratings that no review stands behind go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bookings').addColumn('reference', 'text').execute()
  // An id is four characters of prefix and 26 random ones.
  for (const at of [25, 19, 13, 7]) {
    await sql`update bookings
      set reference = 'AP-' || upper(substr(id, ${sql.lit(at)}, 4)) || '-' || upper(substr(id, ${sql.lit(at + 4)}, 2))
      where reference is null`.execute(db)
    await sql`update bookings set reference = null where no in (
      select no from (select no, row_number() over (partition by reference order by no) as n
        from bookings where reference is not null) as numbered where n > 1)`.execute(db)
  }
  await db.schema
    .createIndex('bookings_reference')
    .unique()
    .on('bookings')
    .column('reference')
    .execute()
  await sql`update providers set rating_sum = 0, rating_count = 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bookings_reference').execute()
  await db.schema.alterTable('bookings').dropColumn('reference').execute()
}

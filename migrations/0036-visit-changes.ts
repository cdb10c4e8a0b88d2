import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * What changing a visit needs: what missing it costs, until when cancelling it is free, when people were
 * last told of it, and a row for every change that can never be altered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['providers', 'bookings']) {
    await db.schema
      .alterTable(table)
      .addColumn('no_show_percent', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(100)
          .check(sql`no_show_percent >= late_cancel_percent and no_show_percent <= 100`),
      )
      .execute()
  }
  for (const name of ['free_until', 'changed_at']) {
    await db.schema.alterTable('bookings').addColumn(name, 'bigint').execute()
  }
  await sql`update bookings set free_until = ${freeUntil()},
    changed_at = coalesce(closed_at, confirmed_at) where confirmed_at is not null`.execute(db)
  await db.schema
    .createTable('visit_changes')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('by_kind', 'text', (c) => c.notNull())
    .addColumn('by_id', 'text')
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .addColumn('from_at', 'bigint')
    .addColumn('to_at', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('note', 'text')
    .addColumn('refund_minor', 'integer')
    .addColumn('kept_minor', 'integer')
    .execute()
  await db.schema
    .createIndex('visit_changes_booking')
    .on('visit_changes')
    .columns(['booking_no', 'no'])
    .execute()
  await keepChanges(db)
}

/** What the rules of that day say of visits booked before: the policy, and the law where it is kinder. */
function freeUntil(): RawBuilder<unknown> {
  const policy = sql`start_at - free_cancel_hours * ${sql.lit(HOUR_MS)}`
  const within = sql`confirmed_at + ${sql.lit(14 * DAY_MS)}`
  const dayBefore = sql`start_at - ${sql.lit(DAY_MS)}`
  const law = sql`(case when ${within} < ${dayBefore} then ${within} else ${dayBefore} end)`
  return sql`(case when region = 'uk' and ${law} > ${policy} then ${law} else ${policy} end)`
}

/** Nobody alters or removes a change; only what somebody wrote can be blanked once they are erased. */
async function keepChanges(db: Kysely<unknown>): Promise<void> {
  const kept = ['no', 'booking_no', 'at', 'what', 'by_kind', 'by_id', 'sequence', 'from_at']
  const columns = [...kept, 'to_at', 'reason', 'refund_minor', 'kept_minor']
  const altered = sql.join(
    columns.map((name) => sql`old.${sql.ref(name)} is distinct from new.${sql.ref(name)}`),
    sql` or `,
  )
  const refused = sql`new.note is not null or ${altered}`
  if (isPostgres(db)) {
    await sql`create function visit_changes_are_kept() returns trigger language plpgsql as $$
      begin raise exception 'changes of visits are kept'; end $$`.execute(db)
    await sql`create trigger visit_changes_update before update on visit_changes for each row
      when (${refused}) execute function visit_changes_are_kept()`.execute(db)
    await sql`create trigger visit_changes_delete before delete on visit_changes for each row
      execute function visit_changes_are_kept()`.execute(db)
    return
  }
  await sql`create trigger visit_changes_update before update on visit_changes when ${refused}
    begin select raise(abort, 'changes of visits are kept'); end`.execute(db)
  await sql`create trigger visit_changes_delete before delete on visit_changes
    begin select raise(abort, 'changes of visits are kept'); end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('visit_changes').execute()
  if (isPostgres(db)) await sql`drop function visit_changes_are_kept()`.execute(db)
  for (const name of ['free_until', 'changed_at']) {
    await db.schema.alterTable('bookings').dropColumn(name).execute()
  }
  for (const table of ['providers', 'bookings']) {
    await db.schema.alterTable(table).dropColumn('no_show_percent').execute()
  }
}

import { type Kysely, sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import type { LateIndex } from './step.ts'

/**
 * What jobs and holds look for among millions of rows. Claims by provider: SQLite has had that index from
 * the beginning, Postgres only the one that keeps claims from overlapping, which finds nobody's claims.
 */
export const indexes: readonly LateIndex[] = [
  { name: 'slot_claims_provider', table: 'slot_claims', columns: ['provider_no', 'start_at'] },
  // What moved since the books were last compared, page by page.
  { name: 'payments_moved', table: 'payments', columns: ['gateway', 'updated_at', 'no'] },
  // In the order of the nightly check, which many have at the same instant.
  {
    name: 'provider_standings_next',
    table: 'provider_standings',
    columns: ['due_at', 'checked_at'],
    where: sql`due_at is not null`,
  },
  // Missed visits of which a part goes back, without a look at the visit itself.
  {
    name: 'bookings_missed_part',
    table: 'bookings',
    columns: ['outcome_at', 'no', 'paid_by'],
    where: sql`outcome = 'no_show' and no_show_percent < 100`,
  },
  // Old emails, to be deleted: their bodies make a scan of the table slow.
  { name: 'mails_created', table: 'mails', columns: ['created_at'] },
]

export function up(): Promise<void> {
  return Promise.resolve()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const { name } of indexes) {
    // On SQLite the claims' index is of an earlier migration.
    if (name === 'slot_claims_provider' && !isPostgres(db)) continue
    await db.schema.dropIndex(name).ifExists().execute()
  }
}

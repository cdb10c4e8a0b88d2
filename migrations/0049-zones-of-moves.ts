import type { Kysely } from 'kysely'

/** The zones of a moved visit's times, as its places may be in two; null for moves before this. */
const columns = [
  ['visit_changes', 'from_zone'],
  ['visit_changes', 'to_zone'],
  ['desk_visits', 'moved_from_zone'],
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    await db.schema.alterTable(table).addColumn(column, 'text').execute()
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    await db.schema.alterTable(table).dropColumn(column).execute()
  }
}

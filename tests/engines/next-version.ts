import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Step } from '#migrations/step.ts'

/** Sorts after all existing migrations. */
export const NEXT = '9001-next'

/**
 * A made-up migration for testing a deployment, with expanding changes: columns, one with a default, a table
 * that references old rows, and an index built later.
 */
export const nextMigration: Step = {
  up: async (db) => {
    await db.schema.alterTable('bookings').addColumn('next_note', 'text').execute()
    await db.schema
      .alterTable('bookings')
      .addColumn('next_level', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('next_notes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
      .execute()
  },
  down: async (db) => {
    await db.schema.dropIndex('bookings_next').ifExists().execute()
    await db.schema.dropTable('next_notes').execute()
    await db.schema.alterTable('bookings').dropColumn('next_level').execute()
    await db.schema.alterTable('bookings').dropColumn('next_note').execute()
  },
  indexes: [{ name: 'bookings_next', table: 'bookings', columns: ['next_note', 'start_at'] }],
}

if (import.meta.main) {
  // Before anything else is loaded, as in the server's own main.
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'))

  // The server with one more migration.
  const { migrations } = await import('#migrations/registry.ts')
  migrations[NEXT] = nextMigration
  const { start } = await import('#server/start.ts')
  await start(process.env)
}

import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'))

// The server as it will be one migration on: a column, a table that points at old rows, an index.
const { migrations } = await import('#migrations/registry.ts')
migrations['9001-next'] = {
  up: async (db) => {
    await db.schema.alterTable('bookings').addColumn('next_note', 'text').execute()
    await db.schema
      .createTable('next_notes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
      .execute()
  },
  down: async (db) => {
    await db.schema.dropIndex('bookings_next').ifExists().execute()
    await db.schema.dropTable('next_notes').execute()
    await db.schema.alterTable('bookings').dropColumn('next_note').execute()
  },
  indexes: [{ name: 'bookings_next', table: 'bookings', columns: ['next_note', 'start_at'] }],
}
const { start } = await import('#server/start.ts')
await start(process.env)

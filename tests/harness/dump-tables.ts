import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

/** Every row of every table as JSON, but for the registers, which are public lists. */
export async function dumpTables({ database }: TestApp): Promise<string> {
  const tables = await database.db.introspection.getTables()
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('register_'))
  if (!names.includes('accounts')) throw new Error('No tables of ours were found.')
  const rows: unknown[] = []
  for (const name of names) {
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    rows.push(name, (await all.execute(database.db)).rows)
  }
  return JSON.stringify(rows)
}

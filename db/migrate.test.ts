import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrations } from '#migrations/registry.ts'
import { createDatabase, onPostgres } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { type Database, openDatabase } from './engine.ts'
import { migrateToLatest, migrateToNothing } from './migrate.ts'

async function tableNames(database: Database): Promise<string[]> {
  const tables = await database.db.introspection.getTables()
  return tables.map((table) => table.name).toSorted()
}

describeEngines('the migrations', (makeDatabase) => {
  test('a migration that ends half-way leaves nothing of itself, and is done at the next start', async () => {
    const database = await makeDatabase({ migrate: false })
    const { schema } = database.db
    // What a later statement of an early migration trips over, as a killed process would leave it undone.
    await schema.createTable('codes').addColumn('id', 'integer').execute()
    await expect(migrateToLatest(database)).rejects.toThrow('A migration failed')
    await schema.dropTable('codes').execute()
    expect(await migrateToLatest(database)).toContain('0007-auth')
  })

  test('go up, down and up again, and end where they began', async () => {
    const database = await makeDatabase({ migrate: false })
    const names = Object.keys(migrations)
    expect(names.length).toBeGreaterThan(0)
    expect(await migrateToLatest(database)).toEqual(names)
    const after = await tableNames(database)
    expect(await migrateToNothing(database)).toEqual(names.toReversed())
    expect(await tableNames(database)).toEqual([])
    expect(await migrateToLatest(database)).toEqual(names)
    expect(await tableNames(database)).toEqual(after)
  })

  test('run once: a second start has nothing to do', async () => {
    const database = await makeDatabase()
    expect(await migrateToLatest(database)).toEqual([])
  })
})

/** What Kysely locks its migrations by, unless it is told otherwise: a lock of a session. */
const KYSELY_LOCK = '3853314791062309107'

test('migrations take no lock of a session, which PgBouncer would keep for somebody else', async () => {
  const name = `t_${randomBytes(8).toString('hex')}`
  const server = inject('postgresUrl')
  await onPostgres(server, (admin) => createDatabase(admin, name, 'template0'))
  const [database, other] = [1, 2].map(() => openDatabase(`${server}/${name}`, { poolSize: 1 }))
  if (database === undefined || other === undefined) throw new Error('No database.')
  await sql`select pg_advisory_lock(${KYSELY_LOCK}::bigint)`.execute(other.db)
  expect(await migrateToLatest(database)).not.toEqual([])
  await database.close()
  await other.close()
  await onPostgres(server, ({ db }) => sql`drop database ${sql.id(name)}`.execute(db))
})

describeEngines('durability', (makeDatabase) => {
  test('every commit reaches the disk before it is acknowledged', async () => {
    const database = await makeDatabase()
    if (database.engine === 'sqlite') {
      const { rows } = await sql`pragma synchronous`.execute(database.db)
      expect(rows).toEqual([{ synchronous: 2 }])
    } else {
      const { rows } = await sql`show synchronous_commit`.execute(database.db)
      expect(rows).toEqual([{ synchronous_commit: 'on' }])
    }
  })
})

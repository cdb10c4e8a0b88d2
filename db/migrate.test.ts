import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrations } from '#migrations/registry.ts'
import { createDatabase, runOnPostgres } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { type Database, openDatabase } from './engine.ts'
import { buildLateIndexes, migrateToLatest, revertAll, withStartLock } from './migrate.ts'

async function tableNames(database: Database): Promise<string[]> {
  const tables = await database.db.introspection.getTables()
  return tables.map((table) => table.name).toSorted()
}

async function nameOf({ db }: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return rows[0]?.name ?? ''
}

describeEngines('the migrations', (makeDatabase) => {
  test('a migration that ends half-way is rolled back, and runs at the next start', async () => {
    const database = await makeDatabase('nothing')
    const { schema } = database.db
    // Makes a later statement of an early migration fail, as if the process had been killed half-way.
    await schema.createTable('codes').addColumn('id', 'integer').execute()
    await expect(migrateToLatest(database)).rejects.toThrow('A migration failed')
    await schema.dropTable('codes').execute()
    expect(await migrateToLatest(database)).toContain('0008-auth')
  })

  test('go up, down and up again, with the same schema at the end', async () => {
    const database = await makeDatabase('nothing')
    const names = Object.keys(migrations)
    expect(names.length).toBeGreaterThan(0)
    expect(await migrateToLatest(database)).toEqual(names)
    const after = await tableNames(database)
    expect(await revertAll(database)).toEqual(names.toReversed())
    expect(await tableNames(database)).toEqual([])
    expect(await migrateToLatest(database)).toEqual(names)
    expect(await tableNames(database)).toEqual(after)
  })

  test('refuse a database from before the baseline, and say so', async () => {
    const database = await makeDatabase()
    await sql`insert into kysely_migration (name, timestamp) values ('0009-booking', '')`.execute(
      database.db,
    )
    await expect(migrateToLatest(database)).rejects.toThrow('made by a version before 0.2.0')
  })

  test('run once: a second start finds nothing to do', async () => {
    const database = await makeDatabase()
    expect(await migrateToLatest(database)).toEqual([])
  })
})

/** The key of the session lock that Kysely takes for migrations by default. */
const KYSELY_LOCK = '3853314791062309107'

test('migrations take no session lock, which PgBouncer would leave on a shared connection', async () => {
  const name = `t_${randomBytes(8).toString('hex')}`
  const server = inject('postgresUrl')
  await runOnPostgres(server, (admin) => createDatabase(admin, name, 'template0'))
  const [database, other] = [1, 2].map(() => openDatabase(`${server}/${name}`, { poolSize: 1 }))
  if (database === undefined || other === undefined) throw new Error('No database.')
  await sql`select pg_advisory_lock(${KYSELY_LOCK}::bigint)`.execute(other.db)
  expect(await migrateToLatest(database)).not.toEqual([])
  await database.close()
  await other.close()
  await runOnPostgres(server, ({ db }) => sql`drop database ${sql.id(name)}`.execute(db))
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

const INDEX = {
  name: 'late',
  table: 'app_meta',
  columns: ['value'],
  where: sql<SqlBool>`value is not null`,
}

describeEngines('deferred indexes', (makeDatabase) => {
  test('are built once, while others wait for the start lock', async () => {
    const database = await makeDatabase()
    const step = { up: () => Promise.resolve(), indexes: [INDEX] }
    const build = () => buildLateIndexes(database, [step])
    if (database.engine === 'sqlite') await build()
    else {
      // Postgres waits for every statement that began before, so waiting for the lock must not be a
      // statement.
      const url = `${inject('postgresUrl')}/${await nameOf(database)}`
      const waiting = withStartLock(url, async () => {
        const other = withStartLock(url, () => Promise.resolve('next'))
        await build()
        return [other]
      })
      expect(await (await waiting)[0]).toBe('next')
    }
    await build()
    const { schema } = database.db
    await expect(schema.createIndex('late').on('app_meta').column('key').execute()).rejects.toThrow(
      'already exists',
    )
  })

  test('are rebuilt after an interrupted build', async () => {
    const database = await makeDatabase()
    if (database.engine === 'sqlite') return
    await database.db
      .insertInto('app_meta')
      .values([
        { key: 'a', value: 'same' },
        { key: 'b', value: 'same' },
      ])
      .execute()
    // Fails on the existing rows, and leaves an invalid index behind.
    const failing = sql`create unique index concurrently late on app_meta (value)`
    await expect(failing.execute(database.db)).rejects.toThrow('could not create unique index')
    await buildLateIndexes(database, [{ up: () => Promise.resolve(), indexes: [INDEX] }])
    const { rows } = await sql`select indisvalid, indisunique from pg_index
      where indexrelid = 'late'::regclass`.execute(database.db)
    expect(rows).toEqual([{ indisvalid: true, indisunique: false }])
  })
})

describeEngines('a table in use', (makeDatabase) => {
  test('is migrated once its lock is free, and meanwhile nobody waits behind the migration', async () => {
    const database = await makeDatabase('nothing')
    if (database.engine === 'sqlite') return
    await migrateToLatest(database)
    await using stack = new AsyncDisposableStack()
    migrations['9001-mark'] = {
      up: (db) => db.schema.alterTable('slot_claims').addColumn('mark', 'text').execute(),
    }
    stack.defer(() => void delete migrations['9001-mark'])
    const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
    const report = database.transaction(async (db) => {
      await sql`select * from slot_claims`.execute(db)
      await over
    })
    const migrating = migrateToLatest(database)
    const started = performance.now()
    for (let reads = 0; reads < 5; reads += 1) {
      await sql`select * from slot_claims`.execute(database.db)
      await sleep(500)
    }
    expect(performance.now() - started).toBeLessThan(20_000)
    letGo()
    await report
    expect(await migrating).toEqual(['9001-mark'])
  })
})

async function withUrl(engine: string, work: (url: string) => Promise<void>): Promise<void> {
  if (engine === 'postgres') {
    await work(`${inject('postgresUrl')}/postgres`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'apposite-lock-'))
  await work(`sqlite:${join(folder, 'a.db')}`)
  await rm(folder, { recursive: true, force: true })
}

test.each(['sqlite', 'postgres'])('three starts at once on %s go one after the other', (engine) =>
  withUrl(engine, async (url) => {
    const steps: string[] = []
    const start = (name: string) =>
      withStartLock(url, async () => {
        steps.push(`${name} in`)
        await sleep(20)
        steps.push(`${name} out`)
      })
    await Promise.all([start('a'), start('b'), start('c')])
    expect(steps).toHaveLength(6)
    for (const [index, step] of steps.entries()) {
      if (index % 2 === 0) expect(steps[index + 1]).toBe(step.replace('in', 'out'))
    }
  }),
)

test.each(['sqlite', 'postgres'])('a failed start on %s releases the lock', (engine) =>
  withUrl(engine, async (url) => {
    const failing = withStartLock(url, () => Promise.reject(new Error('no luck')))
    await expect(failing).rejects.toThrow('no luck')
    expect(await withStartLock(url, () => Promise.resolve('in'))).toBe('in')
  }),
)

test('a database in memory takes no lock', async () => {
  expect(await withStartLock('sqlite::memory:', () => Promise.resolve('in'))).toBe('in')
})

test('a database without a name leaves no lock file in the working directory', async () => {
  const begun: string[] = []
  const starting = withStartLock('sqlite:', () => Promise.resolve(begun.push('in')))
  await expect(starting).rejects.toThrow('must name a file')
  expect(begun).toEqual([])
  expect(existsSync('.start')).toBe(false)
})

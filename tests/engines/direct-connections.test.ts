import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { SearchFilters } from '#contract/search.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { PoolerError } from '#db/failures.ts'
import { findPgbouncer, startPgbouncer } from '#scripts/topology/pgbouncer.ts'
import { startPrimary } from '#scripts/topology/postgres.ts'
import { searchProviders } from '#server/search/providers.ts'
import {
  createDatabase,
  MIGRATED_TEMPLATE,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { recordedPostgres } from '#tests/harness/servers/recorded-postgres.ts'
import { insertPeople } from './search-people.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const SEARCHES = 20

const PEOPLE = Array.from({ length: 30 }, (_, n) => ({
  no: n + 1,
  sites: [{ latitude: 51.5 + n / 300, longitude: -0.1 }],
  free: [NOW + 3_600_000],
}))

async function search(database: Database, north = 0): Promise<number> {
  const filters = { latitude: 51.5 + north, longitude: -0.1, radius: 10, specialty: 'gp' }
  const ctx = { database, now: () => NOW }
  return (await searchProviders(ctx, SearchFilters.parse(filters))).total
}

/** A Postgres with some providers behind a recording proxy, and the database's URL. */
async function recorded() {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, MIGRATED_TEMPLATE))
  const filling = openDatabase(`${server}/${name}`, { poolSize: 1 })
  await insertPeople(filling.db, PEOPLE, NOW)
  await filling.close()
  const postgres = await recordedPostgres(server)
  return {
    postgres,
    url: postgres.urlOf(name),
    [Symbol.asyncDispose]: async () => {
      await postgres[Symbol.asyncDispose]()
      await runOnPostgres(server, (admin) => sql`drop database ${sql.id(name)}`.execute(admin.db))
    },
  }
}

test('a direct connection is told each read of a search once, by a name, and nothing else', async () => {
  await using there = await recorded()
  const { url, postgres } = there
  const database = openDatabase(url, { poolSize: 1, isDirect: true })
  for (let n = 0; n < SEARCHES; n++) expect(await search(database, n / 1_000)).toBe(30)
  await database.db.selectFrom('providers').select('no').execute()
  await database.close()
  const named = postgres.statements.filter(({ name }) => name !== '')
  // One each for the total, the cards, and their free times.
  expect(named).toHaveLength(3)
  expect(new Set(named.map(({ name }) => name)).size).toBe(3)
  const rest = postgres.statements.filter(({ name }) => name === '').map(({ text }) => text)
  expect(rest).toEqual(['select pg_backend_pid() as pid', 'select "no" from "providers"'])
})

test('without being told that it is direct, a connection keeps nothing', async () => {
  await using there = await recorded()
  const { url, postgres } = there
  const database = openDatabase(url, { poolSize: 1 })
  for (let n = 0; n < SEARCHES; n++) await search(database)
  await database.close()
  expect(postgres.statements).toHaveLength(3 * SEARCHES)
  expect(postgres.statements.filter(({ name }) => name !== '')).toEqual([])
})

test('a migration that widens a column of a kept search fails none', async () => {
  await using there = await recorded()
  const database = openDatabase(there.url, { poolSize: 1, isDirect: true })
  expect(await search(database)).toBe(30)
  await sql`alter table providers alter column rating_sum type bigint`.execute(database.db)
  const before = there.postgres.statements.length
  for (let n = 0; n < 2; n++) expect(await search(database)).toBe(30)
  const after = there.postgres.statements.slice(before)
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter(({ name }) => name !== '')).toEqual([])
  await database.close()
})

const pgbouncer = findPgbouncer()
const pooler = pgbouncer === null ? 'PgBouncer, which is not installed,' : 'PgBouncer'

test(`${pooler} is refused where connections are said to be direct, and serves where they are not`, async () => {
  if (pgbouncer === null) return
  const folder = await mkdtemp(join(tmpdir(), 'apposite-pooled-'))
  // Both run as another user when the tests run as root.
  await chmod(folder, 0o755)
  const primary = await startPrimary({ folder, settings: ['fsync=off'] })
  const pooled = await startPgbouncer(pgbouncer, primary, folder)
  try {
    const asked = (url: string, isDirect: boolean) => async () => {
      const database = openDatabase(url, { poolSize: 2, isDirect })
      try {
        return (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows
      } finally {
        await database.close()
      }
    }
    await expect(asked(pooled.url, true)()).rejects.toThrow(PoolerError)
    expect(await asked(pooled.url, false)()).toEqual([{ one: 1 }])
    expect(await asked(primary.url, true)()).toEqual([{ one: 1 }])
  } finally {
    await pooled.stop()
    await primary.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

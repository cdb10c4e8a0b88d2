import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { SearchFilters } from '#contract/search.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { searchProviders } from '#server/search/providers.ts'
import {
  createDatabase,
  MIGRATED_TEMPLATE,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { insertPeople } from './search-people.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

/** Circles across two to nine bands, some crossing the edge of a cell, and two without providers. */
const CIRCLES = [0, 0.04, 0.2, 0.26, 0.5, 3].flatMap((north) =>
  [5, 10, 25].map((radius) => ({ latitude: 51.5 + north, longitude: -0.1 + north / 3, radius })),
)

async function searchAround(database: Database): Promise<number> {
  await insertPeople(
    database.db,
    Array.from({ length: 90 }, (_, n) => ({
      no: n + 1,
      sites: [{ latitude: 51.5 + n / 150, longitude: -0.1 }],
    })),
    NOW,
  )
  let shown = 0
  for (const circle of CIRCLES) {
    const filters = SearchFilters.parse({
      ...circle,
      specialty: 'gp',
      distance_filter_clicked: true,
    })
    const { results } = await searchProviders({ database, now: () => NOW }, filters)
    shown += results.length
  }
  return shown
}

test('on Postgres all circles are searched by the same statements, on SQLite by few', async () => {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, MIGRATED_TEMPLATE))
  const shapes: number[] = []
  for (const url of [`${server}/${name}`, 'sqlite::memory:']) {
    const texts = new Set<string>()
    const database = openDatabase(url, { onQuery: ({ text }) => texts.add(text) })
    await migrateToLatest(database)
    expect(await searchAround(database)).toBeGreaterThan(90)
    await database.close()
    const searching = [...texts].filter((text) => /\bwith \w+ \(band, west, east\)/.test(text))
    shapes.push(searching.length)
  }
  const [onPostgresServer, onSqlite] = shapes
  // Count with whole cells, count without, and list.
  expect(onPostgresServer).toBe(3)
  expect(onSqlite).toBeGreaterThan(3)
  await runOnPostgres(server, (admin) => sql`drop database ${sql.id(name)}`.execute(admin.db))
})

test('a page takes one statement for its number and one for its cards, beside the free times', async () => {
  const texts: string[] = []
  const database = openDatabase('sqlite::memory:', { onQuery: ({ text }) => texts.push(text) })
  await migrateToLatest(database)
  await searchAround(database)
  const before = texts.length
  const filters = SearchFilters.parse({ latitude: 51.5, longitude: -0.1, radius: 10 })
  const { results } = await searchProviders({ database, now: () => NOW }, filters)
  expect(results).toHaveLength(10)
  expect(texts.slice(before).filter((text) => !text.includes('slots'))).toHaveLength(2)
  await database.close()
})

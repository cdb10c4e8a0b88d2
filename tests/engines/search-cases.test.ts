import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { SearchFilters } from '#contract/search.ts'
import { NEVER } from '#db/columns.ts'
import { type Database, type Db, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { nextDays } from '#server/availability/slots/free-times.ts'
import { makeBackground } from '#server/kernel/limits/semaphore.ts'
import { rebuildCells } from '#server/search/index-store.ts'
import { refreshNextFree, reindexProviders } from '#server/search/reindex.ts'
import { searchMap, searchProviders } from '#server/search/search-providers.ts'
import {
  createDatabase,
  MIGRATED_TEMPLATE,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { idOf, insertPeople, type Person } from './search-people.ts'

const background = makeBackground(0)

/** Monday, nine in the morning in London. */
const NOW = Date.parse('2026-03-02T09:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const CENTRE = { latitude: 51.5, longitude: -0.1 }

function near(no: number, north: number, rest: Partial<Person> = {}): Person {
  const site = { latitude: CENTRE.latitude + north, longitude: CENTRE.longitude }
  return { no, sites: [site], ...rest }
}

function ask(database: Database, filters: Partial<SearchFilters> = {}, now = NOW) {
  const all = SearchFilters.parse({ ...CENTRE, specialty: 'gp', ...filters })
  return searchProviders({ database, now: () => now }, all)
}

function filledWith(people: Person[]) {
  return (db: Db) => insertPeople(db, people, NOW)
}

const idsOf = (answer: { results: { id: string }[] }) => answer.results.map(({ id }) => id)

describeEngines('search cases', (makeDatabase) => {
  async function made(people: Person[]): Promise<Database> {
    const database = await makeDatabase()
    await filledWith(people)(database.db)
    return database
  }

  test('the nearest are found when they all lie in a ring far from the centre', async () => {
    const ring = Array.from({ length: 300 }, (_, n) => near(n + 1, 0.13 + n / 100_000))
    const database = await made(ring)
    const answer = await ask(database, { radius: 25, distance_filter_clicked: true })
    expect(answer.total).toBe(300)
    expect(idsOf(answer)).toEqual(ring.slice(0, 10).map(({ no }) => idOf(no)))
  })

  test('a default radius widens step by step and is reported; a chosen one stays', async () => {
    const database = await made([near(1, 0.01), near(2, 0.2), near(3, 0.3)])
    const widened = await ask(database, { radius: 3 })
    expect(widened).toMatchObject({ radius: 25, widened: true, total: 3 })
    const chosen = await ask(database, { radius: 3, distance_filter_clicked: true })
    expect(chosen).toMatchObject({ radius: 3, widened: false, total: 1 })
    const nobody = await ask(database, { radius: 3, specialty: 'dentist' })
    // Never more than ten times the requested radius.
    expect(nobody).toMatchObject({ radius: 25, widened: true, total: 0, pages: 1, results: [] })
    const close = await ask(database, { radius: 1, specialty: 'dentist' })
    expect(close).toMatchObject({ radius: 10, widened: true, total: 0 })
  })

  test('a search that finds nobody names the next radius that finds somebody', async () => {
    const database = await made([near(1, 0.2), near(2, 0.5, { gender: 'female' })])
    const next = async (filters: Partial<SearchFilters>) =>
      (await ask(database, { distance_filter_clicked: true, ...filters })).nextRadius
    // Fourteen miles away, past 3, 5 and 10.
    expect(await next({ radius: 1 })).toBe(25)
    expect(await next({ radius: 10 })).toBe(25)
    expect(await next({ radius: 1, distance_filter_clicked: false })).toBe(25)
    expect(await next({ radius: 1, gender: 'female' })).toBe(50)
    expect(await next({ radius: 25 })).toBeUndefined()
    expect(await next({ radius: 1, specialty: 'dentist' })).toBeUndefined()
    expect(await next({ radius: 50, specialty: 'dentist' })).toBeUndefined()
  })

  test('with filters that leave too few, each removal is counted before widening', async () => {
    const database = await made([
      near(1, 0.01, { video: true }),
      near(2, 0.02, { gender: 'female' }),
      near(3, 0.02, { gender: 'female', fee: 90 }),
      near(4, 0.03, { fee: 90 }),
      near(5, 0.3, { gender: 'female', video: true }),
    ])
    const filtered = { radius: 3, gender: 'female', mode: 'video', fee_max: 60 } as const
    const answer = await ask(database, filtered)
    expect(answer).toMatchObject({ radius: 3, widened: false, total: 0, results: [] })
    // Removing the fee filter alone would still find nobody, so it is not offered.
    expect(answer.removals).toEqual([
      { filter: 'gender', total: 1 },
      { filter: 'mode', total: 1 },
    ])
    const { fee_max: _, ...costly } = filtered
    const more = await ask(database, { ...costly, distance_filter_clicked: true })
    expect(more).toMatchObject({ radius: 3, widened: false })
    expect(more.removals?.[0]).toEqual({ filter: 'mode', total: 2 })
    const map = await searchMap(
      { database, now: () => NOW },
      SearchFilters.parse({ ...CENTRE, specialty: 'gp', ...filtered }),
    )
    expect(map).toMatchObject({ radius: 3, total: 0 })
  })

  test('where no removal helps, a filtered search widens like any other', async () => {
    const database = await made([1, 2, 3].map((no) => near(no, 0.2, { gender: 'female' })))
    const answer = await ask(database, { radius: 3, gender: 'female' })
    expect(answer).toMatchObject({ radius: 25, widened: true, total: 3 })
    expect(answer.removals).toBeUndefined()
    const nobody = await ask(database, { radius: 3, gender: 'male' })
    expect(nobody).toMatchObject({ radius: 25, widened: true, total: 0 })
    expect(nobody.removals).toEqual([{ filter: 'gender', total: 3 }])
  })

  test('a page past the end is empty and has the total', async () => {
    const database = await made(Array.from({ length: 12 }, (_, n) => near(n + 1, n / 1000)))
    const answer = await ask(database, { page: 9_999 })
    expect(answer).toMatchObject({ total: 12, pages: 2, page: 9_999, results: [] })
    expect((await ask(database, { page: 2 })).results).toHaveLength(2)
  })

  test('only Verified providers with a complete profile are listed', async () => {
    const database = await made([
      near(1, 0.01),
      near(2, 0.01, { status: 'Unverified' }),
      near(3, 0.01, { about: ' ' }),
      near(4, 0.01, { languages: [] }),
    ])
    expect(idsOf(await ask(database))).toEqual([idOf(1)])
  })

  test('reindexing follows changes of the given providers', async () => {
    const database = await made([near(1, 0.01), near(2, 0.02)])
    const { db } = database
    await db.updateTable('providers').set({ verification_status: 'Unverified' }).execute()
    await reindexProviders(db, NOW, [2])
    expect(idsOf(await ask(database))).toEqual([idOf(1)])
    await reindexProviders(db, NOW)
    expect(idsOf(await ask(database))).toEqual([])
  })

  test('cell counts follow added, moved and removed providers', async () => {
    const people = Array.from({ length: 30 }, (_, n) => near(n + 1, n / 40))
    const database = await made(people)
    const { db } = database
    const gone = db.updateTable('providers').set({ verification_status: 'Unverified' })
    await gone.where('no', '<', 8).execute()
    const moved = db.updateTable('places').set({ longitude: -0.4 })
    await moved.where('provider_no', '>', 20).execute()
    await db.updateTable('providers').set({ specialty_no: 2 }).where('no', '=', 15).execute()
    await reindexProviders(db, NOW, [15, 1, 2, 3, 4, 5, 6, 7, 25, 26, 27, 28, 29, 30])
    const kept = await cellsOf(db)
    expect(kept.length).toBeGreaterThan(5)
    await rebuildCells(db)
    expect(kept).toEqual(await cellsOf(db))
  })

  test('a free time in the past is neither shown nor counted', async () => {
    const people = [
      near(1, 0.01, { free: [NOW + HOUR] }),
      near(2, 0.02, { free: [NOW + HOUR, NOW + 5 * HOUR] }),
      near(3, 0.03, { free: [NOW + 3 * DAY], taken: [NOW + 4 * HOUR] }),
    ]
    const database = await made(people)
    const later = NOW + 2 * HOUR
    const today = () => ask(database, { available: 'today', distance_filter_clicked: true }, later)
    expect(await today()).toMatchObject({ total: 1, results: [{ id: idOf(2) }] })
    expect(idsOf(await ask(database, { sort: 'soonest' }, later))).toEqual([2, 3, 1].map(idOf))
    await refreshNextFree({ database, background, now: () => later })
    const stale = await database.db
      .selectFrom('search_index')
      .select('provider_no')
      .where('next_free', '<', later)
      .execute()
    expect(stale).toEqual([])
    expect(await today()).toMatchObject({ total: 1, results: [{ id: idOf(2) }] })
    expect(idsOf(await ask(database, { sort: 'soonest' }, later))).toEqual([2, 3, 1].map(idOf))
  })

  test('the job refreshes more rows than one batch', async () => {
    const database = await made(
      Array.from({ length: 450 }, (_, n) => near(n + 1, n / 10_000, { free: [NOW + HOUR] })),
    )
    await refreshNextFree({ database, background, now: () => NOW + 2 * HOUR })
    const answer = await ask(database, { available: '14', distance_filter_clicked: true })
    expect(answer.total).toBe(0)
  })

  test('the map shows the same providers as the list, nearest first', async () => {
    const database = await made(
      Array.from({ length: 620 }, (_, n) => near(n + 1, n / 5_000, { free: [NOW + DAY] })),
    )
    const filters = SearchFilters.parse({ ...CENTRE, specialty: 'gp', radius: 10 })
    const map = await searchMap({ database, now: () => NOW }, filters)
    expect(map.total).toBe(620)
    expect(map.pins).toHaveLength(500)
    expect(map.pins.slice(0, 3)).toMatchObject([1, 2, 3].map((no) => ({ id: idOf(no) })))
    expect(map.pins[0]).toMatchObject({ distance: 0, nextFree: '2026-03-03T09:00:00.000Z' })
    const dentists = await searchMap(
      { database, now: () => NOW },
      { ...filters, specialty: 'dentist' },
    )
    expect(dentists).toMatchObject({ total: 0, pins: [] })
  })

  test.each([
    ['today, as the index says', NOW],
    ['on a day the clock has passed', NOW - 3 * DAY],
    ['later than it is', NOW + 4 * DAY],
    ['never', NEVER],
  ])('two whole days are shown when the first free time was last seen %s', async (_, seen) => {
    const thursday = NOW + 10 * DAY
    const free = [
      ...[30, 0].map((minutes) => NOW + DAY + minutes * 60_000),
      ...[-60, 0, 60, 120, 180, 240].map((minutes) => thursday + minutes * 60_000),
      thursday + DAY - 3 * HOUR,
      thursday + DAY,
    ]
    const database = await made([near(1, 0.01, { free })])
    const clinic = { providerNo: 1, timeZone: 'Europe/London', nextFree: seen }
    const times = (await nextDays(database.db, NOW, [clinic])).get(1)
    expect(times?.nextFree).toBe(NOW + DAY)
    expect(times?.days.map(({ date, slots, more }) => [date, slots.length, more])).toEqual([
      ['2026-03-03', 2, 0],
      ['2026-03-12', 4, 2],
    ])
  })

  test('a point in the other region finds nobody', async () => {
    const database = await made([near(1, 0.01), near(2, 0.02)])
    expect(idsOf(await ask(database))).toEqual([idOf(1), idOf(2)])
    expect(await ask(database, { selectedRegion: 'usa' })).toMatchObject({ total: 0, results: [] })
  })

  test('on Postgres a large search uses only the index', async () => {
    const database = await makeDatabase()
    if (database.engine !== 'postgres') return
    await scatter(database.db)
    await sql`vacuum analyze search_index`.execute(database.db)
    const before = await scansOf(database.db)
    const searches = 100
    for (let n = 0; n < searches; n++) {
      const answer = await ask(database, { radius: 25, distance_filter_clicked: true })
      expect(answer.total).toBeGreaterThan(50)
    }
    // Statistics arrive late, including those of earlier scans, so a hundred searches must stand out.
    await expect
      .poll(async () => (await scansOf(database.db)).index, { timeout: 60_000 })
      .toBeGreaterThan(before.index + searches)
    expect((await scansOf(database.db)).table).toBeLessThan(before.table + searches / 2)
  })
})

/** Inserts sixty thousand index rows of thirty specialties across England, without providers. */
async function scatter(db: Db): Promise<void> {
  await sql`insert into search_index
    select 1 + n % 30, floor(latitude / 0.1), longitude, n, n,
      cos(radians(latitude)) * cos(radians(longitude)),
      cos(radians(latitude)) * sin(radians(longitude)),
      sin(radians(latitude)), 8640000000000000, 5000, 33, 1, 0, 'x'
    from (
      select n, 50 + (n * 7919 % 40000) / 10000.0 as latitude,
        -3 + (n * 104729 % 40000) / 10000.0 as longitude
      from generate_series(1::bigint, 60000) n
    ) points`.execute(db)
  await rebuildCells(db)
}

function cellsOf(db: Db) {
  return db
    .selectFrom('search_cells')
    .selectAll()
    .where('places', '<>', 0)
    .orderBy('specialty_no')
    .orderBy('band')
    .orderBy('cell')
    .execute()
}

/** How often Postgres has scanned the search index: by an index, and sequentially. */
async function scansOf(db: Db): Promise<{ index: number; table: number }> {
  const { rows } = await sql<{ index: number; table: number }>`
    select idx_scan as index, seq_scan as table from pg_stat_user_tables
    where relname = 'search_index'`.execute(db)
  return rows[0] ?? { index: 0, table: 0 }
}

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

test('all circles use the same statements on Postgres, few on SQLite', async () => {
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

test('a page takes one statement for the count and one for the cards, besides free times', async () => {
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

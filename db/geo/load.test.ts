import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { loadReference } from './load.ts'
import { findPlace, zoneForPlace } from './lookup.ts'
import { townOutcodes } from './town-outcodes.ts'

const TABLES = ['geo_uk_sectors', 'geo_uk_outcodes', 'geo_us_zips', 'geo_places'] as const

async function countRows(
  { db }: Database,
  table: (typeof TABLES)[number] | 'geo_uk_units',
): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function readStamp({ db }: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('geo_meta')
    .select('value')
    .where('key', '=', 'reference')
    .executeTakeFirst()
  return row?.value
}

async function outdateStamp({ db }: Database): Promise<void> {
  await db.updateTable('geo_meta').set({ value: 'old' }).where('key', '=', 'reference').execute()
}

/** Timeout for loading 90,000 rows several times: most of a minute on a busy machine. */
const LONG_TIMEOUT = { timeout: 120_000 }

describeEngines('loading places', (makeDatabase) => {
  test(
    'loads again only for another version, and keeps imported postcodes',
    LONG_TIMEOUT,
    async () => {
      const database = await makeDatabase('places')
      const stamp = await readStamp(database)
      expect(stamp).toMatch(/^[0-9a-f]{64}$/)
      const counts = await Promise.all(TABLES.map((table) => countRows(database, table)))
      const [sectors, outcodes, zips, places] = counts
      expect(sectors).toBe(10_847)
      expect(outcodes).toBeGreaterThan(2900)
      expect(outcodes).toBeLessThan(3300)
      expect(zips).toBeGreaterThan(42_000)
      expect(zips).toBeLessThan(43_000)
      expect(places).toBeGreaterThan(55_000)

      // Unchanged data is neither written nor reported again.
      const said: string[] = []
      await database.db.deleteFrom('geo_us_zips').where('zip', '=', '78701').execute()
      expect(await loadReference(database, (line) => said.push(line))).toBe(false)
      expect(said).toEqual([])
      expect(await findPlace(database.db, 'usa', '78701')).toMatchObject({ kind: 'unknown_code' })

      const unit = { postcode: 'SE16ET', latitude: 51.4978, longitude: -0.1036 }
      await database.db.insertInto('geo_uk_units').values(unit).execute()
      await database.db
        .insertInto('geo_meta')
        .values({ key: 'import:zips.txt', value: 'x' })
        .execute()
      await outdateStamp(database)
      expect(await loadReference(database, (line) => said.push(line))).toBe(true)
      expect(said).toHaveLength(1)
      expect(await readStamp(database)).toBe(stamp)
      expect(await Promise.all(TABLES.map((table) => countRows(database, table)))).toEqual(counts)
      expect(await countRows(database, 'geo_uk_units')).toBe(1)
      expect(await findPlace(database.db, 'uk', 'SE1 6ET')).toMatchObject({ level: 'unit' })
      expect(await findPlace(database.db, 'usa', '78701')).toMatchObject({ level: 'zip' })
      const imports = await database.db
        .selectFrom('geo_meta')
        .selectAll()
        .where('key', 'like', 'import:%')
        .execute()
      expect(imports).toEqual([])
    },
  )

  test('of two servers that start at once, one loads', LONG_TIMEOUT, async () => {
    const database = await makeDatabase()
    const wrote = await Promise.all([loadReference(database), loadReference(database)])
    expect(wrote.filter(Boolean)).toHaveLength(1)
    expect(await countRows(database, 'geo_uk_sectors')).toBe(10_847)
    await checkRows(database)
    await checkZones(database)
  })
})

/** Checks invariants of every loaded row. */
async function checkRows({ db }: Database): Promise<void> {
  const outcodes = new Set(
    (await db.selectFrom('geo_uk_outcodes').select('code').execute()).map(({ code }) => code),
  )
  expect(townOutcodes().filter(({ code }) => !outcodes.has(code))).toEqual([])

  const zips = await db.selectFrom('geo_us_zips').selectAll().execute()
  expect(zips.filter(({ zip }) => !/^\d{5}$/.test(zip))).toEqual([])
  expect(zips.filter(({ state }) => !/^[A-Z]{2}$/.test(state))).toEqual([])
  // Throws for a zone that does not exist.
  for (const zone of new Set(zips.map((row) => row.time_zone))) {
    expect(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).not.toBe(
      '',
    )
  }
  const military = zips.filter(({ kind }) => kind === 'military')
  expect(military.length).toBeGreaterThan(400)
  expect(military.filter(({ state }) => !['AA', 'AE', 'AP'].includes(state))).toEqual([])

  const places = await db.selectFrom('geo_places').selectAll().execute()
  expect(places.filter(({ name }) => /\d|\(historical\)|,/.test(name))).toEqual([])
  const sections = places.filter(({ name, region }) => name === 'Hackney' && region === 'uk')
  expect(sections.map(({ population }) => population)).toEqual([0])
  const farOffices = places.filter(({ near }) => /^(?:NE99|SS99|E98)$/.test(near))
  expect(farOffices).toEqual([])
}

/** Checks the zone stored with a practice location. */
async function checkZones({ db }: Database): Promise<void> {
  const austin = { lat: 30.27, lon: -97.74 }
  const enniskillen = { lat: 54.345, lon: -7.64 }
  expect(await zoneForPlace(db, 'uk', enniskillen)).toBe('Europe/London')
  expect(await zoneForPlace(db, 'uk', { ...enniskillen, zip: '78701' })).toBe('Europe/London')
  expect(await zoneForPlace(db, 'usa', austin)).toBe('America/Chicago')
  expect(await zoneForPlace(db, 'usa', { ...austin, zip: '99999' })).toBe('America/Chicago')
  expect(await zoneForPlace(db, 'usa', { ...austin, zip: '85003' })).toBe('America/Phoenix')
  expect(await zoneForPlace(db, 'usa', { ...austin, zip: '99501-1234' })).toBe('America/Anchorage')
  expect(await zoneForPlace(db, 'usa', { ...austin, zip: '96813' })).toBe('Pacific/Honolulu')
  expect(await zoneForPlace(db, 'usa', { ...austin, zip: '83702' })).toBe('America/Boise')
}

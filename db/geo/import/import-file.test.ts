import { join } from 'node:path'
import { env } from 'node:process'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { findPlace } from '#db/geo/lookup.ts'
import { distanceKm } from '#db/geo/points.ts'
import { findUnit } from '#db/geo/store.ts'
import { migrateToLatest } from '#db/migrate.ts'
import type { GeoPlaceRow, UsZipRow } from '#db/tables/geo.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import * as made from './fixtures.ts'
import { importFile } from './import-file.ts'
import { writeZips } from './import-zips.ts'
import { listFiles } from './list-files.ts'
import { type Imported, Rejects } from './report.ts'

type Run = Imported & { rejected: Record<string, number>; parts: number[] }

async function run(database: Database, path: string, includeNorthernIreland = false): Promise<Run> {
  const rejects = new Rejects()
  const parts: number[] = []
  const onProgress = (part: number) => parts.push(part)
  const done: Imported = { postcodes: 0, zips: 0, places: 0 }
  for (const file of await listFiles(path)) {
    const one = await importFile(database, file, { includeNorthernIreland, rejects, onProgress })
    done.postcodes += one.postcodes
    done.zips += one.zips
    done.places += one.places
  }
  const rejected = Object.fromEntries(rejects.list().map(({ reason, count }) => [reason, count]))
  return { ...done, rejected, parts }
}

async function units(database: Database): Promise<string[]> {
  const rows = await database.db
    .selectFrom('geo_uk_units')
    .selectAll()
    .orderBy('postcode')
    .execute()
  return rows.map((row) => `${row.postcode} ${row.latitude} ${row.longitude}`)
}

async function zips(database: Database): Promise<Record<string, UsZipRow>> {
  const rows = await database.db.selectFrom('geo_us_zips').selectAll().execute()
  return Object.fromEntries(rows.map((row) => [row.zip, row]))
}

const anchorage: UsZipRow = {
  zip: '99501',
  latitude: 61.2,
  longitude: -149.8,
  city: 'Anchorage',
  state: 'AK',
  time_zone: 'America/Anchorage',
  kind: 'zcta',
}

/** Many postcodes, at coordinates that differ between lists. */
function manyUnits(latitude: number): string[] {
  const letters = 'ABDEFGHJLN'.split('')
  return letters.flatMap((one) =>
    letters.flatMap((two) =>
      Array.from({ length: 60 }, (_, n) => `M${n} 1${one}${two},${latitude},-2.2`),
    ),
  )
}

describeEngines('importing a list', (makeDatabase) => {
  test('two concurrent imports of the same postcodes in different order both finish', async () => {
    const [first, second] = [manyUnits(53.4), manyUnits(53.5).toReversed()]
    const listOf = (rows: string[]) => ['postcode,lat,lon', ...rows, ''].join('\n')
    using folder = made.makeFolder({ 'a.csv': listOf(first), 'b.csv': listOf(second) })
    const database = await makeDatabase()
    await run(database, join(folder.root, 'a.csv'))
    const both = ['a.csv', 'b.csv', 'a.csv', 'b.csv'].map((name) =>
      run(database, join(folder.root, name)),
    )
    const done = await Promise.all(both)
    expect(done.map(({ postcodes }) => postcodes)).toEqual([6_000, 6_000, 6_000, 6_000])
    expect(await units(database)).toHaveLength(6_000)
  })

  test('Code-Point Open: grid references become points, and rows without one are left out', async () => {
    using folder = made.makeFolder({ 'Data/CSV/mixed.csv': made.codePoint })
    const database = await makeDatabase()
    expect(await run(database, folder.root)).toMatchObject({
      postcodes: 3,
      rejected: { 'without coordinates': 1 },
    })
    expect(await units(database)).toEqual([
      'OX495NU 51.65593 -1.06977',
      'SW1A1AA 51.50101 -0.14159',
      'ZE10AA 60.15322 -1.1416',
    ])
  })

  test('ONSPD: only postcodes in use with a point, and Northern Ireland only on request', async () => {
    using folder = made.makeFolder({ 'onspd.csv': made.onspd })
    const database = await makeDatabase()
    expect(await run(database, folder.root)).toMatchObject({
      postcodes: 1,
      rejected: {
        'no longer in use': 1,
        'without coordinates': 1,
        'Northern Ireland, licence not confirmed': 1,
        'British Forces, which has no place': 1,
        'not a postcode': 1,
      },
    })
    expect(await units(database)).toEqual(['SW1A1AA 51.50101 -0.14159'])
    expect(await run(database, folder.root, true)).toMatchObject({ postcodes: 2 })
    expect(await units(database)).toEqual(['BT11AA 54.602 -5.925', 'SW1A1AA 51.50101 -0.14159'])
  })

  test('importing the same file twice changes nothing; another file updates the rows', async () => {
    using folder = made.makeFolder({
      'plain.csv.gz': gzipSync(made.plain),
      'moved.csv': 'postcode,lat,lon\nM1 1AE,53.5,-2.2312\nM1 1AE,53.5,-2.25\n',
    })
    const database = await makeDatabase()
    const first = await run(database, join(folder.root, 'plain.csv.gz'))
    expect(first).toMatchObject({ postcodes: 2, rejected: { 'not a postcode': 1 } })
    const before = await units(database)
    expect(before).toEqual(['M11AE 53.4835 -2.2312', 'SW1A1AA 51.501 -0.1416'])
    expect(await run(database, join(folder.root, 'plain.csv.gz'))).toEqual(first)
    expect(await units(database)).toEqual(before)
    await run(database, join(folder.root, 'moved.csv'))
    expect(await units(database)).toEqual(['M11AE 53.5 -2.25', 'SW1A1AA 51.501 -0.1416'])
  })

  test('a list longer than one statement or transaction is imported completely', async () => {
    const letters = 'ABDEFGHJLNPQRSTUWXYZ'
    const rows: string[] = []
    for (let at = 0; rows.length < 21_234; at++) {
      const inward = `${at % 10}${letters[Math.floor(at / 10) % 20]}${letters[Math.floor(at / 200) % 20]}`
      rows.push(`AB${10 + Math.floor(at / 4_000)}${inward},57.1,-2.1`)
    }
    using folder = made.makeFolder({ 'long.csv': `postcode,lat,lon\n${rows.join('\n')}` })
    const database = await makeDatabase()
    const { postcodes, parts } = await run(database, folder.root)
    expect(postcodes).toBe(21_234)
    expect((await units(database)).length).toBe(21_234)
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
    expect(parts.at(-1)).toBe(1)
  })

  test('the Census gazetteer moves known codes and adds none without a town', async () => {
    const database = await makeDatabase()
    await writeZips(database.db, [{ ...anchorage, kind: 'point' }])
    using folder = made.makeFolder({ 'gaz.txt': made.gazetteer })
    expect(await run(database, folder.root)).toMatchObject({
      zips: 1,
      rejected: { 'new, and this list does not name the town': 1 },
    })
    expect(await zips(database)).toEqual({
      '99501': { ...anchorage, latitude: 61.216799, longitude: -149.87637 },
    })
  })

  test('GeoNames names towns and adds codes, but does not replace Census points', async () => {
    const database = await makeDatabase()
    await writeZips(database.db, [{ ...anchorage, city: 'Old Name' }])
    using folder = made.makeFolder({ 'US.txt': made.geoNames })
    expect(await run(database, folder.root)).toMatchObject({
      zips: 4,
      rejected: { 'of another country': 1 },
    })
    const rows = await zips(database)
    expect(rows['99501']).toEqual(anchorage)
    expect(rows['73960']).toMatchObject({
      city: 'New Town',
      state: 'OK',
      kind: 'point',
      time_zone: 'America/Chicago',
    })
    expect(rows['00601']).toMatchObject({ state: 'PR', time_zone: 'America/Puerto_Rico' })
    expect(rows['09012']).toMatchObject({
      city: 'APO',
      state: 'AE',
      kind: 'military',
      time_zone: 'Europe/Berlin',
    })
    await run(database, folder.root)
    expect(await zips(database)).toEqual(rows)
  })

  test('in any order of imports, a code stays with its town where the Census point is far off', async () => {
    const database = await makeDatabase()
    const fairbanks = { ...anchorage, zip: '99701', city: 'Fairbanks' }
    await writeZips(database.db, [{ ...fairbanks, latitude: 67.37543, longitude: -149.728458 }])
    await database.db.insertInto('geo_places').values(made.fairbanks).execute()
    using folder = made.makeFolder({
      'gaz.txt': made.wildGazetteer,
      'US.txt': made.fairbanksOffice,
    })
    const office = { ...fairbanks, latitude: 64.8378, longitude: -147.7164, kind: 'point' }
    for (const list of ['US.txt', 'gaz.txt', 'US.txt']) {
      await run(database, join(folder.root, list))
      expect(await zips(database)).toEqual({ '99701': office })
    }
  })
})

async function sqlite(): Promise<Database> {
  const database = openDatabase('sqlite::memory:')
  await migrateToLatest(database)
  return database
}

test('reads every list in a zip and skips other files', async () => {
  using folder = made.makeFolder({
    'download.zip': made.makeZip({
      'Doc/headers.csv': 'PC,PQ,EA,NO\n',
      'Data/CSV/all.csv': made.codePoint,
      'Data/multi_csv/again.csv': 'postcode,lat,lon\nEH11YZ,55.9503,-3.193\n',
      'Data/nspl.csv': made.nspl2025,
      'picture.png': 'postcode,lat,lon\nM11AE,53,-2\n',
    }),
  })
  const database = await sqlite()
  expect(await run(database, join(folder.root, 'download.zip'))).toMatchObject({ postcodes: 5 })
  expect((await units(database)).map((row) => row.split(' ')[0])).toEqual([
    'EH11YZ',
    'OX495NU',
    'SW1A1AA',
    'ZE10AA',
  ])
  await database.close()
})

test('recognizes compressed files by content, not by name', async () => {
  using folder = made.makeFolder({ 'download.csv': gzipSync(made.plain) })
  const database = await sqlite()
  expect(await run(database, join(folder.root, 'download.csv'))).toMatchObject({ postcodes: 2 })
  await database.close()
})

const packed = gzipSync(`postcode,lat,lon\n${made.plain.repeat(500)}`)
const zipped = made.makeZip({ 'a.csv': made.plain.repeat(500) })

test.each([
  ['none.csv', null, 'There is no file or folder at'],
  ['empty.csv', '', 'is empty.'],
  ['notes.txt', 'Dear all,\nhere are the postcodes', 'holds no list in a known format. Known are:'],
  ['long.json', `[${'1,'.repeat(600_000)}1]`, 'holds no list in a known format'],
  ['short.csv.gz', packed.subarray(0, packed.length - 200), 'is damaged or cut short'],
  ['spoilt.csv.gz', Buffer.concat([packed.subarray(0, 40), packed]), 'is damaged or cut short'],
  ['short.zip', zipped.subarray(0, zipped.length - 30), 'is damaged or cut short'],
  ['nothing.zip', made.makeZip({ 'a.pdf': 'x' }), 'holds no list in a known format'],
])('%s is reported in a sentence', async (name, content, sentence) => {
  using folder = made.makeFolder(content === null ? {} : { [name]: content })
  const database = await sqlite()
  const path = join(folder.root, name)
  await expect(run(database, path)).rejects.toThrow(sentence)
  await expect(run(database, path)).rejects.toThrow(path)
  await database.close()
})

test('refuses a file that unpacks to more ZIP codes than exist', async () => {
  const line = 'US\t99501\tAnchorage\tAlaska\tAK\t\t\t\t\t61.2\t-149.8\t4\n'
  using folder = made.makeFolder({ 'us.txt.gz': gzipSync(line.repeat(500_001)) })
  const database = await sqlite()
  await expect(run(database, folder.root)).rejects.toThrow(/more than 500,000 ZIP codes/)
  expect(await zips(database)).toEqual({})
  await database.close()
})

test('grid references that are not numbers are left out without ending the import', async () => {
  const bad = '"AB101AB",10,394251,806376,""\n"AB101AC",10,x,y,""\n"AB101AD",10,9999999,1,""\n'
  using folder = made.makeFolder({ 'ab.csv': bad })
  const database = await sqlite()
  expect(await run(database, folder.root)).toMatchObject({
    postcodes: 1,
    rejected: { 'without coordinates': 2 },
  })
  await database.close()
})

const SPOTS: [postcode: string, latitude: number, longitude: number][] = [
  ['SW1A1AA', 51.501, -0.1416],
  ['EH11YZ', 55.9503, -3.193],
  ['M11AE', 53.4835, -2.2312],
  ['CF101EP', 51.4758, -3.1792],
  ['LS14AP', 53.7955, -1.5557],
  ['ZE10AA', 60.1532, -1.1416],
  ['TR210NW', 49.9244, -6.3003],
]

/** The full lists to test with: none, or the one named by the environment. */
const fullLists = [env['GEO_TEST_DATA'] ?? ''].filter((path) => path !== '')

test.each(fullLists)(
  'known postcodes of %s are where they should be',
  {
    timeout: 300_000,
  },
  async (path) => {
    const database = await sqlite()
    const { postcodes } = await run(database, path)
    expect(postcodes).toBeGreaterThan(1_500_000)
    const away: Record<string, number> = {}
    for (const [postcode, latitude, longitude] of SPOTS) {
      const found = await findUnit(database.db, postcode)
      away[postcode] = distanceKm(found ?? { latitude: 0, longitude: 0 }, { latitude, longitude })
    }
    expect(Object.entries(away).filter(([, kilometres]) => kilometres > 0.02)).toEqual([])
    await database.close()
  },
)

async function importPlaces(database: Database): Promise<{ places: number; left: string[] }> {
  using folder = made.makeFolder({ 'GB.txt': made.geoNamesPlaces })
  const [file] = await listFiles(join(folder.root, 'GB.txt'))
  if (file === undefined) throw new Error('the file is there')
  const rejects = new Rejects()
  const { places } = await importFile(database, file, { includeNorthernIreland: false, rejects })
  return { places, left: rejects.list().map(({ reason }) => reason) }
}

function placesOf(database: Database, key: string): Promise<GeoPlaceRow[]> {
  return database.db
    .selectFrom('geo_places')
    .selectAll()
    .where('key', '=', key)
    .orderBy('id')
    .execute()
}

describeEngines('importing GeoNames’ places', (makeDatabase) => {
  test('a village is found once by its name; abandoned places are left out', async () => {
    const database = await makeDatabase('places')
    // One in Cumbria and one in Wiltshire, from the list the product ships.
    const before = await placesOf(database, 'buttermere')
    expect(before.map(({ near }) => near).toSorted()).toEqual(['CA12', 'RG17'])
    expect(await importPlaces(database)).toEqual({
      places: 3,
      left: ['not a populated place', 'no longer there', 'of another country'],
    })
    const villages = await placesOf(database, 'buttermere')
    expect(villages).toHaveLength(2)
    expect(villages[1]).toMatchObject({ name: 'Buttermere', admin_name: 'England', near: 'CA12' })
    expect(await findPlace(database.db, 'uk', 'Buttermere')).toMatchObject({
      lat: 54.541,
      lon: -3.277,
    })
    const deserted = await placesOf(database, 'wharrampercy')
    expect(deserted.filter(({ id }) => id > 0)).toEqual([])
  })

  test('a town or post town in both lists stays one row, as in the newer list', async () => {
    const database = await makeDatabase('places')
    await database.db
      .insertInto('geo_places')
      .values({ ...made.fairbanks, key: 'hell', id: -9, name: 'Hell', admin: 'MI' })
      .execute()
    await importPlaces(database)
    await importPlaces(database)
    const towns = await placesOf(database, 'manchester')
    const english = towns.filter(({ region }) => region === 'uk')
    expect(english).toHaveLength(1)
    expect(english[0]).toMatchObject({ id: 2643123, population: 600_000 })
    expect((await placesOf(database, 'hell')).map(({ id, admin }) => [id, admin])).toContainEqual([
      4998018,
      'MI',
    ])
    expect((await placesOf(database, 'hell')).filter(({ admin }) => admin === 'MI')).toHaveLength(1)
  })
})

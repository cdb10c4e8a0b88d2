import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { findPlace } from '#db/geo/lookup.ts'
import { findUnit } from '#db/geo/store.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { prepare } from '#server/prepare.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import * as made from './fixtures.ts'
import { importFromFolder } from './from-folder.ts'

describeEngines('importing from a folder at startup', (makeDatabase) => {
  test('a new file is imported once, and again after a change', async () => {
    using folder = made.makeFolder({
      'plain.csv.gz': gzipSync(made.plain),
      'ons/onspd.csv': made.onspd,
    })
    const database = await makeDatabase()
    const lines: string[] = []
    const look = () => importFromFolder(database, folder.root, (line) => lines.push(line))
    await look()
    expect(lines.slice(0, 2)).toEqual([
      `Importing 2 new files of ${folder.root}`,
      'ons/onspd.csv: 1 postcode',
    ])
    expect(lines).toContain('  left out, Northern Ireland, licence not confirmed: 1 (BT11AA)')
    expect(lines).toContain('plain.csv.gz: 2 postcodes')
    expect(await findUnit(database.db, 'M11AE')).toMatchObject({ latitude: 53.4835 })

    lines.length = 0
    await database.db.deleteFrom('geo_uk_units').execute()
    await look()
    expect(lines).toEqual([])
    expect(await findUnit(database.db, 'M11AE')).toBeUndefined()

    utimesSync(join(folder.root, 'plain.csv.gz'), 1_700_000_000, 1_700_000_000)
    await look()
    expect(lines.slice(0, 2)).toEqual([
      `Importing 1 new file of ${folder.root}`,
      'plain.csv.gz: 2 postcodes',
    ])
    expect(await findUnit(database.db, 'M11AE')).toMatchObject({ latitude: 53.4835 })
  })
})

test('a damaged file is reported at every start and does not stop the others', async () => {
  const packed = gzipSync(made.plain)
  using folder = made.makeFolder({
    'a.csv.gz': packed.subarray(0, packed.length - 20),
    'b.csv': made.nspl2025,
    'notes.txt': 'Fetched in spring',
  })
  const database = openDatabase('sqlite::memory:')
  await migrateToLatest(database)
  const lines: string[] = []
  const look = () => importFromFolder(database, folder.root, (line) => lines.push(line))
  await look()
  expect(lines[1]).toContain('a.csv.gz is damaged or cut short')
  expect(lines).toContain('b.csv: 2 postcodes')
  expect(lines.at(-1)).toContain('notes.txt holds no list in a known format')
  lines.length = 0
  await look()
  expect(lines).toEqual([expect.stringContaining('a.csv.gz is damaged or cut short')])
  writeFileSync(join(folder.root, 'a.csv.gz'), packed)
  lines.length = 0
  await look()
  expect(lines[1]).toBe('a.csv.gz: 2 postcodes')
  await database.close()
})

test('a missing folder is reported and does not stop the start', async () => {
  const database = openDatabase('sqlite::memory:')
  await migrateToLatest(database)
  const lines: string[] = []
  await importFromFolder(database, '/nowhere/at/all', (line) => lines.push(line))
  expect(lines).toEqual(['GEO_DATA_DIR: There is no file or folder at /nowhere/at/all.'])
  await database.close()
})

test('a server started with GEO_DATA_DIR finds whole postcodes', async () => {
  using folder = made.makeFolder({ 'plain.csv': made.plain })
  const database = openDatabase('sqlite::memory:')
  const url = 'sqlite::memory:'
  const config = { ...readConfig({ GEO_DATA_DIR: folder.root }), demo: false, databaseUrl: url }
  await prepare(database, config, { now: 0, say: () => undefined })
  expect(await findPlace(database.db, 'uk', 'sw1a 1aa')).toMatchObject({
    kind: 'found',
    level: 'unit',
    lat: 51.501,
    lon: -0.1416,
  })
  await database.close()
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { findPlace } from '#db/geo/lookup.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { listFiles } from './files.ts'
import * as made from './fixtures.ts'
import { importFile } from './import-file.ts'
import { Rejects } from './problem.ts'

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
  test('a village is found by its name and once, and what nobody lives in is left out', async () => {
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

  test('a town of both lists stays one, as the newer list has it; so does a post town', async () => {
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

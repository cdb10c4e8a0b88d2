import type { TestApp } from '#tests/harness/test-app.ts'

const england = { admin: 'ENG', admin_name: 'England' }
const wales = { admin: 'WLS', admin_name: 'Wales' }

/**
 * Adds places around Elephant and Castle in London, so that the postcode SE1 6ET is known, and some towns.
 */
export async function addPlaces(testApp: TestApp): Promise<void> {
  const { db } = testApp.database
  const point = { latitude: 51.4965, longitude: -0.0985 }
  await db
    .insertInto('geo_uk_sectors')
    .values({ sector: 'SE1 6', outcode: 'SE1', postcodes: 100, ...point })
    .execute()
  await db
    .insertInto('geo_uk_outcodes')
    .values({ code: 'SE1', level: 'outcode', postcodes: 100, near: 'London', ...point })
    .execute()
  const place = { region: 'uk' as const, is_alias: 0 as const, near: 'SE1', ...point }
  await db
    .insertInto('geo_places')
    .values([
      { ...place, id: 1, key: 'manchester', name: 'Manchester', ...england, population: 550_000 },
      { ...place, id: 2, key: 'newport', name: 'Newport', ...wales, population: 300_000 },
      { ...place, id: 3, key: 'newport', name: 'Newport', ...england, population: 25_000 },
    ])
    .execute()
}

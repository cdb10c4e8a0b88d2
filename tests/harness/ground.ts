import type { World } from '#tests/harness/world.ts'

/** The ground around Elephant and Castle in London, so that the postcode SE1 6ET is known. */
export async function addGround(world: World): Promise<void> {
  const { db } = world.database
  const point = { latitude: 51.4965, longitude: -0.0985 }
  await db
    .insertInto('geo_uk_sectors')
    .values({ sector: 'SE1 6', outcode: 'SE1', postcodes: 100, ...point })
    .execute()
  await db
    .insertInto('geo_uk_outcodes')
    .values({ code: 'SE1', level: 'outcode', postcodes: 100, near: 'London', ...point })
    .execute()
}

import { expect, test } from 'vitest'
import { addGround } from '#tests/harness/ground.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeWorld } from '#tests/harness/world.ts'

test('where somebody is becomes a postcode sector, and the point is written down nowhere', async () => {
  await using world = await makeWorld()
  await addGround(world)
  const here = { latitude: 51.498_123, longitude: -0.101_456 }
  const { data } = await new Browser(world).act('search.locate', here)
  expect(data).toEqual({ selectedRegion: 'uk', postcode: 'SE1 6' })
  const { db } = world.database
  const entries = await db.selectFrom('audit').selectAll().execute()
  const jobs = await db.selectFrom('outbox').selectAll().execute()
  expect(JSON.stringify([entries, jobs, world.logged])).not.toMatch(/498123|101456/)
})

test.each([
  ['far from both regions', { latitude: 48.857, longitude: 2.352 }, 'location_outside'],
  ['a point that is none', { latitude: 91, longitude: 0 }, 'coordinates_invalid'],
])('%s is refused', async (_, point, code) => {
  await using world = await makeWorld()
  await addGround(world)
  expect((await new Browser(world).act('search.locate', point)).code).toBe(code)
})

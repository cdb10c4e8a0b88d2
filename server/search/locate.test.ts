import { expect, test } from 'vitest'
import { addPlaces } from '#tests/harness/places.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

test('where somebody is becomes a postcode sector, and the point is written down nowhere', async () => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const here = { latitude: 51.498_123, longitude: -0.101_456 }
  const { data } = await new Browser(testApp).act('search.locate', here)
  expect(data).toEqual({ selectedRegion: 'uk', postcode: 'SE1 6' })
  const { db } = testApp.database
  const entries = await db.selectFrom('audit').selectAll().execute()
  const jobs = await db.selectFrom('outbox').selectAll().execute()
  expect(JSON.stringify([entries, jobs, testApp.logged])).not.toMatch(/498123|101456/)
})

test.each([
  ['far from both regions', { latitude: 48.857, longitude: 2.352 }, 'location_outside'],
  ['a point that is none', { latitude: 91, longitude: 0 }, 'coordinates_invalid'],
])('%s is refused', async (_, point, code) => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  expect((await new Browser(testApp).act('search.locate', point)).code).toBe(code)
})

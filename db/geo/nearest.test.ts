import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { findPlace } from './lookup.ts'
import { findNearestCode } from './nearest.ts'

describeEngines('the code nearest to a point', (makeDatabase) => {
  let database: Database

  beforeAll(async () => {
    database = await makeDatabase('places')
  })

  test.each([
    ['Elephant and Castle', 51.495, -0.1005, 'uk', /^SE1 6$/],
    ['Inverness', 57.478, -4.224, 'uk', /^IV\d+ \d$/],
    ['Belfast, of which only outcodes are known', 54.597, -5.93, 'uk', /^BT\d+$/],
    ['St Helier', 49.184, -2.107, 'uk', /^JE\d$/],
    ['Austin', 30.27, -97.74, 'usa', /^787\d\d$/],
    ['Anchorage', 61.218, -149.9, 'usa', /^995\d\d$/],
    ['Honolulu', 21.307, -157.858, 'usa', /^968\d\d$/],
  ] as const)('%s', async (_, latitude, longitude, region, code) => {
    const nearest = await findNearestCode(database.db, { latitude, longitude })
    expect(nearest?.region).toBe(region)
    expect(nearest?.code).toMatch(code)
    expect(await findPlace(database.db, region, nearest?.code ?? '')).toMatchObject({
      kind: 'found',
    })
  })

  test.each([
    ['Paris', 48.857, 2.352],
    ['Dublin', 53.35, -6.26],
    ['Calais', 50.951, 1.858],
    ['the middle of the Atlantic', 45, -40],
    ['the North Pole', 90, 0],
    ['the South Pole', -90, 180],
  ])('there is none near %s', async (_, latitude, longitude) => {
    expect(await findNearestCode(database.db, { latitude, longitude })).toBeNull()
  })
})

import { expect, test } from 'vitest'
import { makeWorld } from '#tests/harness/world.ts'
import { makeLetGoOfPages } from './let-go-of-pages.ts'

test('what took long is not done again at once, what took no time is', async () => {
  await using world = await makeWorld()
  const { database } = world
  let times = 0
  const ofSize = (ms: number) => ({
    ...world.services,
    database: {
      ...database,
      letGoOfPages: () => {
        times++
        for (const end = performance.now() + ms; performance.now() < end; );
        database.letGoOfPages()
      },
    },
  })
  const slow = makeLetGoOfPages()
  await slow(ofSize(20))
  await slow(ofSize(20))
  expect(times).toBe(1)
  const quick = makeLetGoOfPages()
  await quick({ ...world.services, database: { ...database, letGoOfPages: () => times++ } })
  expect(times).toBe(2)
})

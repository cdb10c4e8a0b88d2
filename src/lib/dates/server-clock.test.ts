import { afterEach, expect, test } from 'vitest'
import { syncServerTime, timeUntil } from './server-clock.ts'

const HOUR = 3_600_000
const answer = (ms: number) => new Response(null, { headers: { date: new Date(ms).toUTCString() } })
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString()

afterEach(() => syncServerTime(answer(Date.now())))

test('a browser whose clock is an hour slow counts down to the server’s instants all the same', () => {
  syncServerTime(answer(Date.now() + HOUR))
  expect(timeUntil(inTenMinutes())).toBeLessThan(-HOUR + 602_000)
  expect(timeUntil(new Date(Date.now() + HOUR + 600_000).toISOString())).toBeGreaterThan(590_000)
})

test('the seconds an answer was on its way are no difference', () => {
  syncServerTime(answer(Date.now() - 2_000))
  const left = timeUntil(inTenMinutes())
  expect(left).toBeGreaterThan(599_000)
  expect(left).toBeLessThanOrEqual(600_000)
})

test('an answer that does not say its time teaches nothing', () => {
  syncServerTime(answer(Date.now() + HOUR))
  syncServerTime(new Response(null))
  syncServerTime(new Response(null, { headers: { date: 'yesterday' } }))
  expect(timeUntil(inTenMinutes())).toBeLessThan(0)
})

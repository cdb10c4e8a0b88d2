import { expect, test } from 'vitest'
import { MessageId } from '#contract/base/ids.ts'
import { newId, randomText } from './ids.ts'

test('an id matches the contract', () => {
  expect(MessageId.safeParse(newId('msg')).success).toBe(true)
})

test('ten thousand ids differ, and use every character at every position', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('prv'))
  expect(new Set(ids).size).toBe(ids.length)
  for (let place = 4; place < 30; place += 1) {
    expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(32)
  }
})

test('random text has the requested length', () => {
  expect(randomText(10)).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/)
})

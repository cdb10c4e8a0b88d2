import { expect, test } from 'vitest'
import { compare, isRegisterInDoubt, judgeNightlyCheck, nextNight } from './rules.ts'

const claim = { name: 'Amara Bennett', registration_number: '7000001' }
const good = { ...claim, standing: 'good' } as const

test.each([
  ['the same', 'Amara Bennett'],
  ['capitals', 'AMARA BENNETT'],
  ['runs of spaces', '  amara \u00A0  bennett '],
  ['letters of full width', 'Ａmara Ｂennett'],
  ['an accent written as one sign', 'Amara Bennett'.normalize('NFC')],
])('a name matches: %s', (_what, name) => {
  expect(compare(claim, { ...good, name })).toEqual({ outcome: 'match', differences: [] })
})

test('an accented letter may be one code point or two', () => {
  const accented = { name: 'Jos\u00E9 Núñez', registration_number: '7000001' }
  const answer = { ...good, name: 'Jose\u0301 Nu\u0301n\u0303ez' }
  expect(compare(accented, answer).outcome).toBe('match')
})

test.each([
  ['a Cyrillic а', 'Am\u0430ra Bennett'],
  ['a Greek Α', '\u0391mara Bennett'],
  ['a dotless ı', 'Amara Bennett'.replace('A', 'ı')],
  ['an accent left out', 'Amára Bennett'],
  ['a middle name', 'Amara Grace Bennett'],
  ['a hyphen for a space', 'Amara-Bennett'],
  ['an invisible letter', 'Amara\u200B Bennett'],
  ['nothing', ''],
  ['markup', '<img onerror>'],
  ['a template', '{{7*7}}'],
])('a name does not match: %s', (_what, name) => {
  const differs = { outcome: 'differs', differences: ['name'] }
  expect(compare(claim, { ...good, name })).toEqual(differs)
  expect(compare({ ...claim, name }, good)).toEqual(differs)
})

test('the number is trimmed and otherwise compared exactly', () => {
  const number = (registration_number: string) =>
    compare(claim, { ...good, registration_number }).differences
  expect(number(' 7000001 ')).toEqual([])
  expect(number('07000001')).toEqual(['number'])
  expect(number('７000001')).toEqual(['number'])
})

test('matching number and name is not enough: the registration status must be good as well', () => {
  expect(compare(claim, { ...good, standing: 'struck_off' })).toEqual({
    outcome: 'not_in_standing',
    differences: ['standing'],
  })
  expect(compare(claim, { ...good, name: 'Ann Lee', standing: 'suspended' })).toEqual({
    outcome: 'differs',
    differences: ['name', 'standing'],
  })
  expect(compare(claim, null)).toEqual({ outcome: 'not_found', differences: ['number'] })
})

test('the nightly check is at two in the morning, UTC', () => {
  const night = (at: string) => new Date(nextNight(Date.parse(at))).toISOString()
  expect(night('2026-03-02T09:00:00Z')).toBe('2026-03-03T02:00:00.000Z')
  expect(night('2026-03-02T01:59:59Z')).toBe('2026-03-02T02:00:00.000Z')
  expect(night('2026-03-02T02:00:00Z')).toBe('2026-03-03T02:00:00.000Z')
})

const NOW = Date.parse('2026-03-03T02:00:00Z')
const lastNight = NOW - 24 * 3_600_000
const tonight = NOW - 3_600_000

test.each([
  ['all as it was', 'match', 'good', lastNight, 'fine'],
  ['struck off', 'not_in_standing', 'struck_off', null, 'standing'],
  ['struck off under another name', 'differs', 'struck_off', null, 'standing'],
  ['vanished, for the first time', 'not_found', null, null, 'doubt'],
  ['vanished, an hour later', 'not_found', null, tonight, 'doubt'],
  ['vanished, the second night', 'not_found', null, lastNight, 'vanished'],
  ['another name, for the first time', 'differs', 'good', null, 'doubt'],
  ['another name, the second night', 'differs', 'good', lastNight, 'renamed'],
  ['words nobody knows', 'not_in_standing', 'unknown', null, 'doubt'],
  ['words nobody knows, the second night', 'not_in_standing', 'unknown', lastNight, 'standing'],
] as const)('a nightly check: %s', (_what, outcome, standing, doubtSince, found) => {
  const verdict = { outcome, differences: [] }
  expect(judgeNightlyCheck({ verdict, standing, doubtSince }, NOW)).toBe(found)
})

test('a register in which half of many checks fail is itself in doubt', () => {
  expect(isRegisterInDoubt({ asked: 40, failed: 21 })).toBe(true)
  expect(isRegisterInDoubt({ asked: 40, failed: 20 })).toBe(false)
  expect(isRegisterInDoubt({ asked: 9, failed: 9 })).toBe(false)
})

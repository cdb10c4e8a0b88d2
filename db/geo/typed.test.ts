import { expect, test } from 'vitest'
import { readTyped } from './typed.ts'

test.each([
  'SE1 6ET.',
  'SE1 6ET,',
  'SE1-6ET',
  'SE1 - 6ET',
  'SE1–6ET',
  'SE1\u20116ET',
  'SE1.6ET',
  'SE1, 6ET',
  '(SE1 6ET)',
  '"SE1 6ET"',
  '“SE1 6ET”',
  '‘SE1 6ET’',
  '«SE1 6ET»',
  'SE1 6ET\u200b',
  'SE1\u200b6ET',
  'SE1\u00ad6ET',
  '\u202aSE1 6ET\u202c',
  '\ufeffSE1 6ET',
  'SE1\u00a06ET',
  'SE1\u20096ET',
  'SE1\u30006ET',
  'ＳＥ１　６ＥＴ',
  'se1 6et',
  's e 1 6 e t',
  'London, SE1 6ET, UK',
  'London SE1 6ET United Kingdom',
  'London (SE1 6ET)',
  '10 Harper Road, London, SE1-6ET',
  'SE1 6ET, London',
  'SE1 6ET London',
  'SEI 6ET',
])('%j is the postcode SE1 6ET', (typed) => {
  expect(readTyped(typed)).toMatchObject({ kind: 'uk_code', code: 'SE1 6ET' })
})

test.each([
  ['M1 OAA', 'M1 0AA'],
  ['M1 0AA', 'M1 0AA'],
  ['S014 1AA', 'SO14 1AA'],
  ['0X1 1AA', 'OX1 1AA'],
  ['W1A OAX', 'W1A 0AX'],
  ['ECIA 1BB', 'EC1A 1BB'],
  ['EC1A IBB', 'EC1A 1BB'],
  ['L1 1AA', 'L1 1AA'],
  ['IP1 1AA', 'IP1 1AA'],
])('O and 0, I and 1 in %s: %s', (typed, code) => {
  expect(readTyped(typed)).toMatchObject({ kind: 'uk_code', code })
})

test.each(['I1 1AA1', 'OO0 000', 'SE1 6E', 'A1B2C3'])('%s is not guessed at', (typed) => {
  const { kind, ...rest } = readTyped(typed)
  const units = 'readings' in rest ? rest.readings.flatMap(({ unit }) => unit ?? []) : []
  expect([kind === 'zip', units]).toEqual([false, []])
})

test.each([
  '10001',
  '10001–1234',
  '10001-1234',
  '10001\u20111234',
  '10001\u22121234',
  '10001 - 1234',
  '100011234',
  '"10001"',
  '(10001).',
  '1OOO1',
  'IOOO1',
  '１０００１',
  '\u202d10001\u202c',
  'New York, NY 10001',
  'New York, NY 10001-1234',
  'New York, NY 10001, USA',
  'New York NY 10001 United States',
  '12345 Main Street, New York, NY, 10001',
  '10001, New York',
])('%j is the ZIP code 10001', (typed) => {
  expect(readTyped(typed)).toEqual({ kind: 'zip', code: '10001' })
})

test('a house number of five digits is not a ZIP code', () => {
  expect(readTyped('12345 Main Street, Austin')).not.toMatchObject({ kind: 'zip' })
})

test.each([
  ['Stoke–on–Trent', 'Stoke-on-Trent'],
  ['Stoke\u2011on\u2011Trent', 'Stoke-on-Trent'],
  ['Stoke\u2212on\u2212Trent', 'Stoke-on-Trent'],
  ['Le\u200beds', 'Leeds'],
  ['\u202eLeeds', 'Leeds'],
  ['“Leeds”', 'Leeds'],
  ['Leeds.', 'Leeds'],
  ['(Leeds)', 'Leeds'],
  ['King’s\u00a0Lynn', "King's Lynn"],
  ['King´s Lynn', "King's Lynn"],
])('%j is the name %s', (typed, name) => {
  expect(readTyped(typed)).toMatchObject({ kind: 'name', name })
})

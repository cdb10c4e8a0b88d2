import { expect, test } from 'vitest'
import { csvLine } from './export-file.ts'

test.each([
  ['=1+1', '"\'=1+1"'],
  ['+44 20', '"\'+44 20"'],
  ['-1', '"\'-1"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['\tx', '"\'\tx"'],
  ['\rx', '"\'\rx"'],
  ['=1+1\nx', '"\'=1+1\nx"'],
  ['a, b', '"a, b"'],
  ['say "ah"', '"say ""ah"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['Émile', 'Émile'],
  ['', ''],
])('ASVS 1.2.10: the cell %j is written as %j', (value, written) => {
  expect(csvLine([value])).toBe(`${written}\r\n`)
})

test('cells are separated by commas, and each line ends with a line break', () => {
  expect(csvLine(['1', '', 'a, b'])).toBe('1,,"a, b"\r\n')
})

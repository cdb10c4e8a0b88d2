import { expect, test } from 'vitest'
import { batchesOf, guessColumns, rowsOf } from './columns.ts'

test('columns whose names say so are found, and nothing is made up', () => {
  const head = ['Appointment ID', 'Start time', 'Duration', 'Location', 'Patient name', 'Fee']
  const columns = { day: -1, start: 1, end: -1, minutes: 2, place: 3, label: 4, externalId: 0 }
  expect(guessColumns(head)).toEqual(columns)
  expect(Object.values(guessColumns(['a', 'b']))).toEqual([-1, -1, -1, -1, -1, -1, -1])
})

const none = { day: -1, start: -1, end: -1, minutes: -1, place: -1, label: -1, externalId: -1 }

test.each([
  [['Date', 'Patient'], { start: 0, label: 1 }],
  [['Date', 'Time', 'Length'], { day: 0, start: 1, minutes: 2 }],
  [['Day', 'From', 'To'], { day: 0, start: 1, end: 2 }],
  [
    ['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time'],
    { label: 0, day: 1, start: 2, end: 4 },
  ],
])('a day with a column of its own is told from the time: %j', (head, found) => {
  expect(guessColumns(head)).toEqual({ ...none, ...found })
})

test('day and time are put together; a row without a time has no start', () => {
  const rows = [
    { line: 2, cells: ['03/12/2026', '10:00'] },
    { line: 3, cells: ['03/12/2026', ''] },
  ]
  const sent = rowsOf({ head: [], rows }, { ...none, day: 0, start: 1 })
  expect(sent.map(({ start }) => start)).toEqual(['03/12/2026 10:00', ''])
})

test('rows travel two hundred at a time, and fewer when they are long', () => {
  const columns = { day: -1, start: 0, end: -1, minutes: -1, place: -1, label: 1, externalId: -1 }
  const table = (label: string) => ({
    head: [],
    rows: Array.from({ length: 450 }, (_, no) => ({ line: no + 2, cells: ['10/03/2026', label] })),
  })
  expect(batchesOf(rowsOf(table(''), columns)).map(({ length }) => length)).toEqual([200, 200, 50])
  const long = batchesOf(rowsOf(table('ß'.repeat(500)), columns))
  expect(Math.max(...long.map((batch) => JSON.stringify(batch).length))).toBeLessThan(60_000)
  expect(long.flat()).toHaveLength(450)
})

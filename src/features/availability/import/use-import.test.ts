import { expect, test } from 'vitest'
import type { ImportRow } from '#contract/imports.ts'
import { guessColumns, orderIn, rowsOf } from './columns.ts'
import { decodeText, readTable } from './read-table.ts'
import { batchesOf, sendInBatches } from './use-import.ts'

test('columns whose names say so are found, and nothing is made up', () => {
  const head = ['Appointment ID', 'Start time', 'Duration', 'Location', 'Patient name', 'Fee']
  const columns = {
    day: '',
    start: '1',
    endDay: '',
    end: '',
    allDay: '',
    minutes: '2',
    place: '3',
    label: '4',
    externalId: '0',
  }
  expect(guessColumns(head)).toEqual(columns)
  expect(new Set(Object.values(guessColumns(['a', 'b'])))).toEqual(new Set(['']))
})

const none = {
  day: '',
  start: '',
  endDay: '',
  end: '',
  allDay: '',
  minutes: '',
  place: '',
  label: '',
  externalId: '',
}

test.each([
  [['Date', 'Patient'], { start: '0', label: '1' }],
  [['Date', 'Time', 'Length'], { day: '0', start: '1', minutes: '2' }],
  [['Day', 'From', 'To'], { day: '0', start: '1', end: '2' }],
  [
    ['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time'],
    { label: '0', day: '1', start: '2', endDay: '3', end: '4' },
  ],
])('a day with a column of its own is told from the time: %j', (head, found) => {
  expect(guessColumns(head)).toEqual({ ...none, ...found })
})

test('day and time are put together; a row without a time has no start', () => {
  const rows = [
    { line: 2, cells: ['03/12/2026', '10:00'] },
    { line: 3, cells: ['03/12/2026', ''] },
  ]
  const sent = rowsOf({ head: [], rows }, { ...none, day: '0', start: '1' })
  expect(sent.map(({ start }) => start)).toEqual(['03/12/2026 10:00', ''])
})

test('a number that patients share is not taken for the id of an appointment', () => {
  const head = ['Start', 'End', 'Patient ID', 'Phone number', 'NHS number', 'Patient']
  expect(guessColumns(head)).toMatchObject({ externalId: '', label: '5' })
})

test('a row with the id of one in an earlier batch is left out, unless that one was', async () => {
  const blank = { start: '', end: '', allDay: '', minutes: '', place: '', label: '' }
  const rows = Array.from({ length: 401 }, (_, no) => ({
    ...blank,
    line: no + 2,
    // Rows 2, 202 and 402 have one id, rows 3 and 203 another.
    externalId: ['A ', 'B'][no % 200] ?? '',
  }))
  const sent: ImportRow[] = []
  const refused = await sendInBatches(rows, (batch) => {
    sent.push(...batch)
    return Promise.resolve(
      batch.filter(({ line }) => line === 3).map(({ line }) => ({ line, why: 'past' })),
    )
  })
  expect(sent).toHaveLength(399)
  expect(refused).toEqual([
    { line: 3, why: 'past' },
    { line: 202, why: 'repeated' },
    { line: 402, why: 'repeated' },
  ])
})

test('rows travel two hundred at a time, and fewer when they are long', () => {
  const columns = { ...none, start: '0', label: '1' }
  const table = (label: string) => ({
    head: [],
    rows: Array.from({ length: 450 }, (_, no) => ({ line: no + 2, cells: ['10/03/2026', label] })),
  })
  expect(batchesOf(rowsOf(table(''), columns)).map(({ length }) => length)).toEqual([200, 200, 50])
  const long = batchesOf(rowsOf(table('ß'.repeat(500)), columns))
  expect(Math.max(...long.map((batch) => JSON.stringify(batch).length))).toBeLessThan(60_000)
  expect(long.flat()).toHaveLength(450)
})

const utf8 = (text: string) => new TextEncoder().encode(text)

function utf16(text: string, isLittle: boolean, mark = ''): Uint8Array {
  const view = new DataView(new ArrayBuffer((mark + text).length * 2))
  for (let at = 0; at < (mark + text).length; at += 1) {
    view.setUint16(at * 2, (mark + text).charCodeAt(at), isLittle)
  }
  return new Uint8Array(view.buffer)
}

test.each([
  ['UTF-8', utf8('Zoë,9')],
  ['UTF-8 with a mark', utf8('\uFEFFZoë,9')],
  ['UTF-16 little endian', utf16('Zoë,9', true, '\uFEFF')],
  ['UTF-16 big endian', utf16('Zoë,9', false, '\uFEFF')],
  ['UTF-16 without a mark', utf16('Zoë,9', true)],
  ['Windows-1252', new Uint8Array([0x5a, 0x6f, 0xeb, 0x2c, 0x39])],
])('%s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe('Zoë,9')
})

test('cells are those of the file, with the line each row stands on', async () => {
  const text = 'Start;Name\r\n"1;2";"two\nlines"\r\n;\r\n\r\nlast;=1+1\r\n'
  expect(await readTable(utf8(text))).toEqual({
    head: ['Start', 'Name'],
    rows: [
      { line: 2, cells: ['1;2', 'two lines'] },
      { line: 5, cells: ['last', '=1+1'] },
    ],
  })
})

test.each([
  ['nothing', ''],
  ['quotes that never end', '"a,b\n"c'],
  ['binary', '\0\u0001\u0002,\0\n\0'],
  ['a row of a hundred thousand cells', ','.repeat(100_000)],
  ['ragged rows', 'a,b\n1\n1,2,3\n'],
])('%s breaks nothing', async (_, text) => {
  const { head, rows } = await readTable(utf8(text))
  expect(Array.isArray(head) && Array.isArray(rows)).toBe(true)
})

test.each([
  ['sep=;\r\nStart;End;Patient\r\n1;2;3\r\n', 'Excel’s own line'],
  ['"sep=;"\r\nStart;End;Patient\r\n1;2;3\r\n', 'quoted'],
  ['\uFEFFsep=;\r\nStart;End;Patient\r\n1;2;3\r\n', 'after a mark'],
  ['\uFEFF"SEP=;"\nStart;End;Patient\n1;2;3\n', 'after a mark, quoted'],
  ['sep=,\nStart,End,Patient\n1,2,3\n', 'a comma'],
  ['sep=,,,\nStart,End,Patient\n1,2,3\n', 'padded'],
  ['sep=\t\nStart\tEnd\tPatient\n1\t2\t3\n', 'a tab'],
  ['sep=|\nStart|End|Patient\n1|2|3\n', 'a bar'],
  ['\r\nStart;End;Patient\r\n1;2;3\r\n', 'an empty first line'],
])('%j: %s', async (text) => {
  for (const bytes of [utf8(text), utf16(text, true, text.startsWith('\uFEFF') ? '' : '\uFEFF')]) {
    expect(await readTable(bytes)).toEqual({
      head: ['Start', 'End', 'Patient'],
      rows: [{ line: 3, cells: ['1', '2', '3'] }],
    })
  }
})

test('a delimiter that is said counts, whatever the header looks like', async () => {
  const { head } = await readTable(utf8('sep=;\nStart;Name, first and last;End\n1;2;3\n'))
  expect(head).toEqual(['Start', 'Name, first and last', 'End'])
})

/** The rows of a file as they are sent with the columns that are guessed. */
async function sentOf(text: string) {
  const table = await readTable(utf8(text))
  const columns = guessColumns(table.head)
  return { order: orderIn(table, columns), rows: rowsOf(table, columns) }
}

test('a file of Google Calendar is read as a whole', async () => {
  const { order, rows } = await sentOf(
    [
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private',
      'Ann,12/10/2026,9:00 AM,12/10/2026,10:00 AM,False,"two\nlines",Room 2,True',
      'Away,12/24/2026,,12/24/2026,,True,,,False',
    ].join('\n'),
  )
  expect(order).toBe('mdy')
  expect(rows).toMatchObject([
    { start: '12/10/2026 9:00 AM', end: '12/10/2026 10:00 AM', label: 'Ann', place: '' },
    { start: '12/24/2026', end: '12/24/2026', allDay: 'True' },
  ])
})

test('an export of Outlook is read as a whole', async () => {
  const head = [
    'Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off',
    'Reminder Date,Reminder Time,Meeting Organizer,Required Attendees,Optional Attendees',
    'Meeting Resources,Billing Information,Categories,Description,Location,Mileage,Priority',
    'Private,Sensitivity,Show time as',
  ].flatMap((names) => names.split(','))
  const row = ['Ann', '10/12/2026', '09:00:00', '10/12/2026', '09:30:00', 'False', 'True']
  const text = [head, row].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')
  const { order, rows } = await sentOf(text)
  expect(order).toBe('ask')
  expect(rows).toMatchObject([
    { start: '10/12/2026 09:00:00', end: '10/12/2026 09:30:00', label: 'Ann', place: '' },
  ])
})

test('a time that names its own day is not given another', async () => {
  const { rows } = await sentOf('Date,Start time,End time\n10/12/2026,2026-12-10 09:00,09:30\n')
  expect(rows).toMatchObject([{ start: '2026-12-10 09:00', end: '09:30' }])
})

import { beforeAll, expect, test } from 'vitest'
import { growthDuring } from '#tests/harness/servers/tiny-chunks.ts'
import type { CalendarView } from './entry-reader.ts'
import { readCalendar } from './read-calendar.ts'

const MB = 1_024 * 1_024
const LARGEST = 5 * MB
/** A busy machine needs longer than is allowed; the memory is the one of real use. */
const LIMITS = { ms: 30_000, memoryMb: 36 }

const view: CalendarView = {
  from: Date.parse('2026-03-02T00:00:00Z'),
  until: Date.parse('2026-04-12T23:00:00Z'),
  timeZone: 'Europe/London',
  skipsAllDay: false,
}

/** As many of these entries as the largest file holds, and how many. */
function largestFile(entry: (no: number) => readonly string[]) {
  const encoder = new TextEncoder()
  const pieces = [encoder.encode('BEGIN:VCALENDAR\r\n')]
  let size = 0
  let count = 0
  while (size < LARGEST - 1_000) {
    const lines = ['BEGIN:VEVENT', ...entry(count), 'END:VEVENT', '']
    const piece = encoder.encode(lines.join('\r\n'))
    pieces.push(piece)
    size += piece.byteLength
    count += 1
  }
  pieces.push(encoder.encode('END:VCALENDAR\r\n'))
  return { bytes: new Uint8Array(Buffer.concat(pieces)), count }
}

// The first worker loads the parser, which is not what is measured.
beforeAll(async () => {
  await readCalendar('BEGIN:VCALENDAR', view, LIMITS)
})

const over = ['DTSTART:20200310T090000Z', 'DTEND:20200310T100000Z']

test.each([
  ['of short titles', (no: number) => [`UID:${no}@example`, 'SUMMARY:Annual review', ...over]],
  ['of Polish titles', (no: number) => [`UID:${no}@ł`, `SUMMARY:${'ł'.repeat(30)}`, ...over]],
])('decades of entries %s are read with less than 50 MB', async (_what, entry) => {
  const { bytes, count } = largestFile(entry)
  expect(count).toBeGreaterThan(30_000)
  let busy: unknown
  const growth = await growthDuring(async () => {
    busy = (await readCalendar(bytes, view, LIMITS)).spans
  })
  expect(busy).toEqual([])
  expect(growth).toBeLessThan(50 * MB)
})

test.each([
  ['one property a hundred times', ['UID:1', ...Array.from({ length: 100 }, () => 'UID:1')]],
  ['a hundred rules', Array.from({ length: 100 }, () => 'RRULE:FREQ=DAILY')],
  ['nothing', []],
])('entries with %s grow the process by less than 50 MB', async (_what, lines) => {
  const { bytes } = largestFile(() => lines)
  const growth = await growthDuring(() => readCalendar(bytes, view, LIMITS).catch(() => undefined))
  expect(growth).toBeLessThan(50 * MB)
})

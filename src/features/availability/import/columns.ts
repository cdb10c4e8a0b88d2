import type { DateOrder, ImportRow } from '#contract/imports.ts'
import { isYes, orderOf, readMoment } from '#contract/imports-times.ts'
import type { Table } from './read-table.ts'

/** Fields that a column of the file can be mapped to. */
export const FIELDS = [
  'day',
  'start',
  'endDay',
  'end',
  'allDay',
  'minutes',
  'place',
  'label',
  'externalId',
] as const
export type FieldName = (typeof FIELDS)[number]

/** Position of each field's column, as the value of a select; empty if unmapped. */
export type Columns = Record<FieldName, string>

/** Maximum cell lengths in characters that the server accepts. */
const MAX_LENGTHS: Record<FieldName, number> = {
  day: 40,
  start: 100,
  endDay: 40,
  end: 100,
  allDay: 20,
  minutes: 40,
  place: 200,
  label: 200,
  externalId: 200,
}

const NAME_PATTERNS: Record<FieldName, RegExp> = {
  day: /^((start|begin|from|appointment|appt|visit|booking)[ _-]*)?(date|day)$/i,
  start: /^(start|begin|from|time|date|day|appointment|appt|dtstart|visit|booking|slot|when)/i,
  endDay: /^(end|finish|until|to)[ _-]*(date|day)$/i,
  end: /^(end|finish|until|to$|to |dtend)/i,
  allDay: /all[ _-]?day/i,
  minutes: /minute|duration|length|^mins?\b/i,
  place: /place|location|clinic|site/i,
  label: /^(?!.*(id|number)$).*(label|name|patient|title|subject|summary|note)/i,
  // A number of the patient would make all their appointments one.
  externalId: /^(?!.*(patient|client|nhs|phone|mobile)).*(^|\W|_)(id|uid|reference|ref|number)$/i,
}

/** Guesses the mapping from the column names; the user confirms it before anything is imported. */
export function guessColumns(head: readonly string[]): Columns {
  const taken = new Set<number>()
  const find = (isOne: (name: string) => boolean) => {
    const at = head.findIndex((name, no) => !taken.has(no) && isOne(name.trim()))
    if (at === -1) return ''
    taken.add(at)
    return String(at)
  }
  const named = (field: FieldName) => find((name) => NAME_PATTERNS[field].test(name))
  // If date and time are in separate columns, the time column is wanted.
  const timed = (field: FieldName) => {
    const at = find((name) => NAME_PATTERNS[field].test(name) && /time/i.test(name))
    return at === '' ? named(field) : at
  }
  const externalId = named('externalId')
  const allDay = named('allDay')
  const minutes = named('minutes')
  const endDay = named('endDay')
  const end = timed('end')
  const day = named('day')
  const start = timed('start')
  return {
    // A lone day column is the start, or the end: it may include the time.
    ...(start === '' ? { day: '', start: day } : { day, start }),
    ...(end === '' ? { endDay: '', end: endDay } : { endDay, end }),
    allDay,
    minutes,
    // The location in a calendar's export is a room or an address, not one of the provider's places.
    place: allDay === '' ? named('place') : '',
    label: named('label'),
    externalId,
  }
}

/** A time with its day before it, unless it names one itself; a day alone stands for a whole one. */
function joined(day: string, time: string, isAllDay: boolean): string {
  if (time === '') return isAllDay ? day : ''
  const read = readMoment(time)
  const isComplete = read === 'order_unknown' || (read !== null && read.day !== null)
  return isComplete ? time : `${day} ${time}`.trim()
}

/** The rows of a table as request input. */
export function rowsOf({ rows }: Table, columns: Columns): ImportRow[] {
  return rows.map(({ line, cells }) => {
    const cell = (field: FieldName) =>
      (cells[Number(columns[field] || -1)] ?? '').slice(0, MAX_LENGTHS[field])
    const allDay = cell('allDay')
    return {
      line,
      start: joined(cell('day'), cell('start'), isYes(allDay)).slice(0, MAX_LENGTHS.start),
      end: joined(cell('endDay'), cell('end'), isYes(allDay)).slice(0, MAX_LENGTHS.end),
      allDay,
      minutes: cell('minutes'),
      place: cell('place'),
      label: cell('label'),
      externalId: cell('externalId'),
    }
  })
}

/** The order of day and month in a file's dates; `ask` where only a person can tell, null where no date needs it. */
export function orderIn(table: Table | undefined, columns: Columns): DateOrder | 'ask' | null {
  if (table === undefined) return null
  return orderOf(rowsOf(table, columns).flatMap(({ start, end }) => [start, end]))
}

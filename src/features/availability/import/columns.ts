import { IMPORT_BATCH, IMPORT_BATCH_CHARS, type ImportRow } from '#contract/imports.ts'
import type { Table } from './read-table.ts'

/** Fields that a column of the file can be mapped to. */
export const FIELDS = ['day', 'start', 'end', 'minutes', 'place', 'label', 'externalId'] as const
export type FieldName = (typeof FIELDS)[number]

/** Column index of each field; -1 if unmapped. */
export type Columns = Record<FieldName, number>

/** Maximum cell lengths in characters that the server accepts. */
const MAX_LENGTHS: Record<FieldName, number> = {
  day: 30,
  start: 60,
  end: 60,
  minutes: 20,
  place: 200,
  label: 200,
  externalId: 200,
}

const NAME_PATTERNS: Record<FieldName, RegExp> = {
  day: /^(start )?(date|day)$/i,
  start: /^(start|begin|from|time|date|day|appointment)/i,
  end: /^(end|finish|until|to$|to )/i,
  minutes: /minute|duration|length/i,
  place: /place|location|clinic|site/i,
  label: /label|name|patient|title|subject|summary|note/i,
  externalId: /(^|\W|_)(id|uid|reference|ref|number)$/i,
}

/** Guesses the mapping from the column names; the user confirms it before anything is imported. */
export function guessColumns(head: readonly string[]): Columns {
  const taken = new Set<number>()
  const find = (isOne: (name: string) => boolean) => {
    const at = head.findIndex((name, no) => !taken.has(no) && isOne(name.trim()))
    if (at !== -1) taken.add(at)
    return at
  }
  const named = (field: FieldName) => find((name) => NAME_PATTERNS[field].test(name))
  // If date and time are in separate columns, the time column is wanted.
  const timed = (field: FieldName) => {
    const at = find((name) => NAME_PATTERNS[field].test(name) && /time/i.test(name))
    return at === -1 ? named(field) : at
  }
  const externalId = named('externalId')
  const minutes = named('minutes')
  const end = timed('end')
  const day = named('day')
  const start = timed('start')
  // A lone day column is the start: it may include the time.
  const when = start === -1 ? { day: -1, start: day } : { day, start }
  return { ...when, end, minutes, place: named('place'), label: named('label'), externalId }
}

/** The rows of a table as request input. */
export function rowsOf({ rows }: Table, columns: Columns): ImportRow[] {
  return rows.map(({ line, cells }) => {
    const cell = (field: FieldName) => (cells[columns[field]] ?? '').slice(0, MAX_LENGTHS[field])
    const start = cell('start')
    return {
      line,
      start: start === '' ? '' : `${cell('day')} ${start}`.trim().slice(0, MAX_LENGTHS.start),
      end: cell('end'),
      minutes: cell('minutes'),
      place: cell('place'),
      label: cell('label'),
      externalId: cell('externalId'),
    }
  })
}

/** Splits rows into batches within the limits of a request. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const batches: ImportRow[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const length = new TextEncoder().encode(JSON.stringify(row)).length
    const last = batches.at(-1)
    if (last === undefined || last.length >= IMPORT_BATCH || chars + length > IMPORT_BATCH_CHARS) {
      batches.push([row])
      chars = length
    } else {
      last.push(row)
      chars += length
    }
  }
  return batches
}

import * as z from 'zod/mini'
import { ImportId } from './base/ids.ts'
import { IsoInstant } from './base/time.ts'

/** Most rows of one file. */
export const IMPORT_ROWS_MAX = 5_000

/** Largest file, in bytes. */
export const IMPORT_BYTES_MAX = 2_000_000

/** Rows sent and written per batch. */
export const IMPORT_BATCH = 200

/** Most characters in a batch as sent; long rows make a batch smaller. */
export const IMPORT_BATCH_CHARS = 45_000

/** How far ahead appointments are imported, in days: nothing is ever offered beyond it. */
export const IMPORT_AHEAD_DAYS = 731

/** Whether `03/04` is 3 April or 4 March: as the other dates of the file say, or a person; never guessed. */
export const DateOrder = z.enum(['dmy', 'mdy'])
export type DateOrder = z.infer<typeof DateOrder>

/** Why a row is not imported. */
export const RowRefusal = z.enum([
  'start_missing',
  'date_bad',
  'order_unknown',
  'clock_skips',
  'past',
  'too_far',
  'end_missing',
  'ends_before',
  'too_long',
  'place_unknown',
  'overlaps_visit',
  'repeated',
])
export type RowRefusal = z.infer<typeof RowRefusal>

export const rowRefusalMessages = {
  start_missing: 'The start is missing.',
  date_bad: 'The start or end is not a date and time we can read.',
  order_unknown: 'The date can be read with the day or the month first.',
  clock_skips: 'This time doesn’t exist on that day because the clocks go forward.',
  past: 'It is over.',
  too_far: 'It’s more than two years ahead.',
  end_missing: 'Both the end and the number of minutes are missing.',
  ends_before: 'It ends before it starts.',
  too_long: 'It is longer than a day. Add it as time off instead.',
  place_unknown: 'You have no place with this name.',
  overlaps_visit: 'You have a booked visit then.',
  repeated: 'Another row of the file has the same id, or is the same.',
} as const satisfies Record<RowRefusal, string>

const cell = (max: number) => z._default(z.string().check(z.maxLength(max)), '')

/** A row of the file, its cells unchanged. */
export const ImportRow = z.strictObject({
  /** Its line in the file, from 1. */
  line: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  start: cell(100),
  end: cell(100),
  minutes: cell(40),
  /** Whether it lasts all day: "TRUE", "yes". Then start and end may be days. */
  allDay: cell(20),
  place: cell(200),
  label: cell(200),
  externalId: cell(200),
})
export type ImportRow = z.infer<typeof ImportRow>

const batch = {
  /** Without it, a row whose date needs it is refused. */
  dates: z.optional(DateOrder),
  rows: z.array(ImportRow).check(z.minLength(1), z.maxLength(IMPORT_BATCH)),
}

export const CheckRowsInput = z.strictObject(batch)
export type CheckRowsInput = z.infer<typeof CheckRowsInput>

const Refused = z.object({ line: z.int(), why: RowRefusal })
export type Refused = z.infer<typeof Refused>

/** What importing some rows would do; nothing is written. */
export const CheckRowsResponse = z.object({
  good: z.int(),
  /** The first row that can be imported, with the zone of its place, to show whether the dates are read correctly. */
  first: z.nullable(
    z.object({ line: z.int(), startsAt: IsoInstant, endsAt: IsoInstant, timeZone: z.string() }),
  ),
  refused: z.array(Refused),
})
export type CheckRowsResponse = z.infer<typeof CheckRowsResponse>

export const AddRowsInput = z.strictObject({
  ...batch,
  /** The import these rows belong to; a new one when null. */
  importId: z.nullable(ImportId),
  /** Name of the file. */
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})
export type AddRowsInput = z.infer<typeof AddRowsInput>

export const AddRowsResponse = z.object({
  importId: z.nullable(ImportId),
  added: z.int(),
  /** Rows that replaced those of an earlier import. */
  updated: z.int(),
  refused: z.array(Refused),
})
export type AddRowsResponse = z.infer<typeof AddRowsResponse>

export const Imports = z.array(
  z.object({
    id: ImportId,
    name: z.string(),
    createdAt: IsoInstant,
    /** Its appointments that are still stored. */
    rows: z.int(),
  }),
)
export type Imports = z.infer<typeof Imports>

export const ImportRef = z.strictObject({ id: ImportId })
export type ImportRef = z.infer<typeof ImportRef>

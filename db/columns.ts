import type { Insertable } from 'kysely'

/** Milliseconds since 1970 in UTC, as an integer: sorts, indexes and ranges alike in both engines. */
export type Instant = number

/**
 * What the clock on a wall shows, as milliseconds since 1970 as if that clock kept UTC: local days and
 * months of all zones in one order.
 */
export type WallClock = number

/** The clock on the wall of a zone at an instant. */
export function wallClock(at: Instant, timeZone: string): WallClock {
  const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  return at + there.offsetNanoseconds / 1_000_000
}

/** A boolean as both engines store it; better-sqlite3 refuses to bind `true`. */
export type Flag = 0 | 1

/** Pence or cents. */
export type MinorUnits = number

/** JSON kept as text in both engines; read and written through `parseJson` and `toJson`. */
export type Json<T> = string & { readonly __json?: T }

/** A new row with every column given, but for the number that the database counts. */
export type WholeRow<Row> = Required<Omit<Insertable<Row>, 'no'>>

/** The value of a JSON column. The writer of the column vouches for its shape. */
export function parseJson<T>(column: Json<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(column) as T
}

/** A value made ready for a JSON column. */
export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value)
}

/** A boolean made ready for a Flag column. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

/** Later than any date we keep: stands for "never" where a column must stay comparable. */
export const NEVER: Instant = 8_640_000_000_000_000

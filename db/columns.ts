import type { Insertable } from 'kysely'

/** Milliseconds since 1970 in UTC, as an integer: sorts, indexes and ranges alike in both engines. */
export type Instant = number

/**
 * Local time as milliseconds since 1970, computed as if the zone kept UTC: orders local days and months of
 * all zones.
 */
export type WallClock = number

/** The local time in a zone at an instant. */
export function wallClock(at: Instant, timeZone: string): WallClock {
  const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  return at + there.offsetNanoseconds / 1_000_000
}

/** A boolean as both engines store it; better-sqlite3 refuses to bind `true`. */
export type Flag = 0 | 1

/** Pence or cents. */
export type MinorUnits = number

/** JSON stored as text on both engines; read and written through `parseJson` and `toJson`. */
export type Json<T> = string & { readonly __json?: T }

/** A new row with every column except the generated number. */
export type WholeRow<Row> = Required<Omit<Insertable<Row>, 'no'>>

/** The value of a JSON column. The writer of the column vouches for its shape. */
export function parseJson<T>(column: Json<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(column) as T
}

/** Serialises a value for a JSON column. */
export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value)
}

/** Converts a boolean for a Flag column. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

/** Later than any date we keep: stands for "never" where a column must stay comparable. */
export const NEVER: Instant = 8_640_000_000_000_000

import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * SQL condition: whether a visit can begin at a free slot, because enough consecutive free slots of its
 * place follow for the visit and its buffer. Slots are at least their length and the buffer apart, so if the
 * required number lies between the first and the last one, they are consecutive.
 *
 * `slot` is the alias of the free slot, `minutes` and `buffer` are numbers or columns in minutes.
 */
export function hasConsecutiveSlotsSql(
  slot: string,
  minutes: number | string,
  buffer: number | string,
): string {
  // ceil((minutes + buffer) / (step + buffer)) - 1, in whole numbers.
  const more = `((${minutes} + ${buffer} - 1) / (${slot}.minutes + ${buffer}))`
  return `(${slot}.minutes >= ${minutes} or (
    select count(*) from slots r where r.provider_no = ${slot}.provider_no and r.free = 1
      and r.place_no = ${slot}.place_no and r.start_at >= ${slot}.start_at
      and r.start_at <= ${slot}.start_at + ${more} * (${slot}.minutes + ${buffer}) * 60000
  ) = ${more} + 1)`
}

/** `hasConsecutiveSlotsSql` as a query condition. Only column names and integers may be passed. */
export function fits(
  slot: string,
  minutes: number | string,
  buffer: number | string,
): RawBuilder<SqlBool> {
  // oxlint-disable-next-line no-restricted-properties -- contains no user input
  return sql.raw<SqlBool>(hasConsecutiveSlotsSql(slot, minutes, buffer))
}

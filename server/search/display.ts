import type { Money } from '#contract/money.ts'
import { type Instant, NEVER, parseJson } from '#db/columns.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { clinicDayOf, slotText } from '#server/availability/rules.ts'

type Named = Pick<ProviderRow, 'title' | 'first_name' | 'last_name'>

/** The name as patients see it: "Dr Ada Lovelace". */
export function displayName({ title, first_name: first, last_name: last }: Named): string {
  return title === null ? `${first} ${last}` : `${title} ${first} ${last}`
}

type Priced = Pick<ProviderRow, 'amount_minor' | 'follow_amount_minor' | 'currency'>

/** The two fees: first visit and follow-up. */
export function feesOf(row: Priced): { fee: Money; followUpFee: Money } {
  return {
    fee: { minor: row.amount_minor, currency: row.currency },
    followUpFee: { minor: row.follow_amount_minor, currency: row.currency },
  }
}

/** The mean of the stars with one decimal, or null without ratings. */
export function ratingOf(row: Pick<ProviderRow, 'rating_sum' | 'rating_count'>) {
  if (row.rating_count === 0) return null
  return {
    average: Math.round((row.rating_sum / row.rating_count) * 10) / 10,
    count: row.rating_count,
  }
}

/** The value of a JSON list column. */
export function listOf(column: string): string[] {
  return parseJson<string[]>(column)
}

/** The start of a slot as ISO text, or null for "none" and "never". */
export function isoOrNull(instant: Instant | null): string | null {
  return instant === null || instant === NEVER ? null : slotText(instant)
}

/** The date of the last register check, in the clinic's time zone. */
export function checkedOn(verifiedAt: Instant | null, timeZone: string): string {
  return clinicDayOf(timeZone, verifiedAt ?? 0).date
}

import { INCOME_DAYS, type IncomeByDay } from '#contract/payments-review.ts'
import type { Region } from '#contract/region.ts'
import { DAY_MS, dateOfDay } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import type { Context } from '#server/context.ts'
import { sumByHour } from './income-store.ts'

/** Whose midnight a day of a region ends at. Both are whole hours from UTC, all year round. */
const zoneOf: Record<Region, string> = { uk: 'Europe/London', usa: 'America/New_York' }

const dayOf = (at: number, region: Region) => Math.floor(wallClock(at, zoneOf[region]) / DAY_MS)

/**
 * Bookings and income of the last thirty days, by the day they were paid on the clocks of their
 * region, before anything went back. Hours are added up in the database and put into days here.
 */
export async function incomeByDay(ctx: Pick<Context, 'database' | 'now'>): Promise<IncomeByDay> {
  const now = ctx.now()
  // The furthest day there is now: nothing of today is left out anywhere.
  const last = Math.max(dayOf(now, 'uk'), dayOf(now, 'usa'))
  const first = last - INCOME_DAYS + 1
  const days = Array.from({ length: INCOME_DAYS }, (_, n) => ({
    date: dateOfDay(first + n),
    bookings: 0,
    income: { GBP: 0, USD: 0 },
  }))
  const sum = { bookings: 0, income: { GBP: 0, USD: 0 } }
  for (const hour of await sumByHour(ctx.database.db, (first - 1) * DAY_MS)) {
    const day = days[dayOf(hour.at, hour.region) - first]
    if (day === undefined) continue
    for (const part of [day, sum]) {
      part.bookings += hour.bookings
      part.income[hour.currency] += hour.minor
    }
  }
  return { days, ...sum }
}

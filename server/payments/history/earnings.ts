import type { Earnings } from '#contract/payments-history.ts'
import { INCOME_DAYS, type IncomeByDay } from '#contract/payments-review.ts'
import type { Region } from '#contract/region.ts'
import { DAY_MS, dateOfDay, toIso } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import { mainZone } from '#server/booking/visits/read-day.ts'
import type { Context } from '#server/context.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { monthAt, wallSpan } from './history-rules.ts'
import { sumByHour, sumEarnings } from './history-store.ts'

/** What the viewer's visits of this month have earned and will earn: paid, less refunds. */
export async function readEarnings(ctx: Context): Promise<Earnings> {
  const { db } = ctx.database
  const { no: providerNo, currency } = await ownProvider(ctx, db)
  const now = ctx.now()
  const month = monthAt(wallClock(now, await mainZone(db, providerNo)))
  const span = wallSpan({ first: month, last: month })
  const rows = await sumEarnings(db, { providerNo, span, now })
  const sumOf = (some: typeof rows) => ({
    minor: some.reduce((sum, { kept }) => sum + kept, 0),
    currency: rows[0]?.currency ?? currency,
  })
  // A cancelled visit counts as over: the part of its fee that was kept is earned.
  const isOver = ({ over, state }: (typeof rows)[number]) => over === 1 || state === 'cancelled'
  const coming = rows.filter((row) => !isOver(row))
  return {
    month: toIso(span.from).slice(0, 10),
    earned: sumOf(rows.filter(isOver)),
    visits: rows.filter(({ over, state }) => over === 1 && state === 'confirmed').length,
    coming: sumOf(coming),
    comingVisits: coming.length,
  }
}

/** Zone whose midnight ends a region's day; both are whole hours from UTC all year. */
const zoneOf: Record<Region, string> = { uk: 'Europe/London', usa: 'America/New_York' }

const dayOf = (at: number, region: Region) => Math.floor(wallClock(at, zoneOf[region]) / DAY_MS)

/**
 * Bookings and income of the last thirty days before refunds, by the local day of payment in their region.
 * The database sums by hour; hours are grouped into days here.
 */
export async function incomeByDay(ctx: Pick<Context, 'database' | 'now'>): Promise<IncomeByDay> {
  const now = ctx.now()
  // The later of the regions' current dates, so that nothing of today is left out.
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

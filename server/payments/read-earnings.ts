import type { Earnings } from '#contract/payments-history.ts'
import { toIso } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import { mainZone } from '#server/booking/read-day.ts'
import type { Context } from '#server/context.ts'
import { ownProvider } from '#server/profiles/read-own.ts'
import { monthAt, wallSpan } from './history-rules.ts'
import { sumEarnings } from './history-store.ts'

/** What the viewer's visits of this month have brought in and will: paid, less what went back. */
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
  // A cancelled visit is over, and what was kept of its fee is earned.
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

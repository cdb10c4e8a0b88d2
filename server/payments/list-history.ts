import {
  HISTORY_PAGE_SIZE,
  type HistoryInput,
  type HistoryPage,
  type HistoryRow,
} from '#contract/payments-history.ts'
import { toIso } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { ownProvider } from '#server/profiles/read-own.ts'
import { monthsOf, pagesOf, spotOf, wallSpan } from './history-rules.ts'
import {
  countByMonth,
  findKey,
  type HistoryRecord,
  type HistoryScope,
  listFrom,
} from './history-store.ts'

function rowOf(record: HistoryRecord): HistoryRow {
  const { amount_minor: minor, currency, refunded_minor: refunded } = record
  const wall = toIso(record.wall_at)
  const isErased = record.user_erased_at !== null
  const userName = [record.user_first_name, record.user_last_name].filter(Boolean).join(' ')
  const doctorName = [record.title, record.first_name, record.last_name].filter(Boolean).join(' ')
  return {
    id: record.id,
    user_name: isErased || userName === '' ? null : userName,
    doctor_name: doctorName === '' ? null : doctorName,
    date: wall.slice(0, 10),
    start_time: wall.slice(11, 16),
    amount: minor === null || currency === null ? null : { minor, currency },
    payment_method: record.payment_method,
    doctor_region: record.region,
    state: record.state === 'cancelled' ? 'cancelled' : 'confirmed',
    refunded: currency === null || refunded === null ? null : { minor: Number(refunded), currency },
  }
}

/**
 * A page of booked appointments, one provider's or everybody's. Past the end it is empty. Counting and
 * skipping go by months, so the last page takes about as long as the first.
 */
export async function listHistory(
  ctx: Pick<Context, 'database'>,
  scope: HistoryScope,
  input: HistoryInput,
): Promise<HistoryPage> {
  const { db } = ctx.database
  const { page, sort, payment_method: wanted } = input
  const view = { scope, method: wanted === 'all' ? null : wanted }
  const months = monthsOf(input)
  const counts = months === 'none' ? [] : await countByMonth(db, { ...view, months, sort })
  const total = counts.reduce((sum, { n }) => sum + n, 0)
  const answer = { current_page: page, total_pages: pagesOf(total), total }
  const spot = spotOf(counts, (page - 1) * HISTORY_PAGE_SIZE)
  if (spot === null || months === 'none') return { appointments: [], ...answer }
  const own = wallSpan({ first: spot.month, last: spot.month })
  const from = await findKey(db, view, { ...spot, span: own, sort })
  if (from === undefined) return { appointments: [], ...answer }
  const span = months === null ? null : wallSpan(months)
  const rows = await listFrom(db, view, { span, from, sort, limit: HISTORY_PAGE_SIZE })
  return { appointments: rows.map(rowOf), ...answer }
}

/** A page of the viewer's own booked appointments. */
export async function providerHistory(ctx: Context, input: HistoryInput): Promise<HistoryPage> {
  const { no } = await ownProvider(ctx, ctx.database.db)
  return listHistory(ctx, { providerNo: no }, input)
}

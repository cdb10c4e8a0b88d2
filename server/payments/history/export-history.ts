import type { HistoryRow } from '#contract/payments-history.ts'
import { EXPORT_MAX, type ExportFile, type ExportInput } from '#contract/payments-staff.ts'
import { toIso } from '#contract/time.ts'
import type { AsStaff } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/kernel/csv.ts'
import { nextTurn } from '#server/kernel/limits/semaphore.ts'
import { listStretch } from './staff-history.ts'

/** Read at once: others get their turn between two of these. */
const STRETCH = 500

/**
 * The history that the filters leave as a file, with all names: superusers only, after a fresh proof.
 * Ends after `EXPORT_MAX` rows and says so.
 */
export async function exportHistory(ctx: AsStaff, input: ExportInput): Promise<ExportFile> {
  const { db } = ctx.database
  const lines = [BYTE_ORDER_MARK + HEAD]
  let rows = 0
  let isCut = false
  for (;;) {
    // One more than there is room for tells whether there are more.
    const limit = Math.min(STRETCH, EXPORT_MAX - rows + 1)
    const stretch = await listStretch(db, input, { skip: rows, limit })
    const kept = stretch.slice(0, EXPORT_MAX - rows)
    isCut = kept.length < stretch.length
    lines.push(...kept.map((row, at) => rowLine(row, rows + at + 1)))
    rows += kept.length
    if (isCut || stretch.length < limit) break
    await nextTurn()
  }
  const { sort, sort_by, payment_method, month, year = '', state, region } = input
  await ctx.record({
    action: 'payment.history_exported',
    details: { rows, sort, sort_by, payment_method, month, year, state, region },
  })
  const fileName = `appointments-${toIso(ctx.now()).slice(0, 10)}.csv`
  return { fileName, text: lines.join(''), rows, isCut }
}

/** The first line: the documented columns, and what a file needs beside. */
const HEAD = csvLine([
  '#',
  'User name',
  'Doctor name',
  'Date',
  'Time',
  'Amount',
  'Currency',
  'Refunded',
  'Payment method',
  'Region',
  'State',
  'Reference',
  'Appointment',
])

/** `60.00`, which every spreadsheet reads as a number. */
const decimal = (minor: number) => (minor / 100).toFixed(2)

/** A row of the history; `no` counts from 1. What is missing is said as on the page. */
function rowLine(row: HistoryRow, no: number): string {
  return csvLine([
    String(no),
    row.user_name ?? 'N/A',
    row.doctor_name ?? 'N/A',
    row.date ?? 'N/A',
    row.start_time ?? 'N/A',
    decimal(row.amount?.minor ?? 0),
    row.amount?.currency ?? '',
    decimal(row.refunded?.minor ?? 0),
    row.payment_method ?? 'N/A',
    row.doctor_region,
    row.state,
    row.reference,
    row.id,
  ])
}

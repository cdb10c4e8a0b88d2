import {
  type AllHistoryInput,
  EXPORT_MAX,
  type ExportFile,
  type HistoryRow,
} from '#contract/payments-history.ts'
import type { ExportInput } from '#contract/payments-staff.ts'
import { toIso } from '#contract/time.ts'
import type { AsStaff, Context } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/kernel/csv.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { type Part, readAllRows } from './all-rows.ts'
import { listOwnStretch } from './list-history.ts'
import { listStretch } from './staff-history.ts'

/**
 * The history that the filters leave as a file, with all names: superusers only, after a fresh proof.
 * Ends after `EXPORT_MAX` rows and says so.
 */
export async function exportHistory(ctx: AsStaff, input: ExportInput): Promise<ExportFile> {
  const { db } = ctx.database
  const { rows, isCut } = await readAllRows((part) => listStretch(db, input, part), EXPORT_MAX)
  const { sort, sort_by, payment_method, month, year = '', state, region } = input
  await ctx.record({
    action: 'payment.history_exported',
    details: { rows: rows.length, sort, sort_by, payment_method, month, year, state, region },
  })
  return fileOf(ctx, rows, isCut)
}

/**
 * Everything the filters leave of the viewer's own history as a file. Ends after `EXPORT_MAX` rows and
 * says so.
 */
export async function exportOwnHistory(ctx: Context, input: AllHistoryInput): Promise<ExportFile> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const read = (part: Part) => listOwnStretch(db, { providerNo, input }, part)
  const { rows, isCut } = await readAllRows(read, EXPORT_MAX)
  await ctx.record({ action: 'payment.own_history_exported', details: { rows: rows.length } })
  return fileOf(ctx, rows, isCut)
}

function fileOf(
  { now }: Pick<Context, 'now'>,
  rows: readonly HistoryRow[],
  isCut: boolean,
): ExportFile {
  const lines = rows.map((row, at) => rowLine(row, at + 1))
  const fileName = `appointments-${toIso(now()).slice(0, 10)}.csv`
  return { fileName, text: BYTE_ORDER_MARK + HEAD + lines.join(''), rows: rows.length, isCut }
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

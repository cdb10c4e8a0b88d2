import { dateOfDay, toIso } from '#contract/base/time.ts'
import type { ExportInput } from '#contract/payments.ts'
import { type AllHistoryInput, EXPORT_MAX, type HistoryRow } from '#contract/payments-history.ts'
import { dayAt } from '#server/availability/rules.ts'
import { mainZone } from '#server/booking/visits/provider-visits.ts'
import type { AsProvider, AsStaff } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { countOwnHistory, listOwnHistory, type Part, readBatches } from './history.ts'
import { countMatching, listMatching } from './staff-payments.ts'

/**
 * Exports the filtered history as a CSV file with all names: superusers only, after recent authentication.
 * Ends after `EXPORT_MAX` rows. Audited before the first row is read.
 */
export async function exportHistory(ctx: AsStaff, input: ExportInput): Promise<ExportFile> {
  const { db } = ctx.database
  const rows = await countMatching(db, input, EXPORT_MAX)
  const { sort, sort_by, payment_method, month, year = '', state, region } = input
  await ctx.record({
    action: 'payment.history_exported',
    details: { rows, sort, sort_by, payment_method, month, year, state, region },
  })
  const day = toIso(ctx.now()).slice(0, 10)
  return fileOf(day, (part) => listMatching(db, input, part))
}

/**
 * Exports the viewer's own filtered history as a CSV file. Ends after `EXPORT_MAX` rows. Audited before the
 * first row is read.
 */
export async function exportOwnHistory(
  ctx: AsProvider,
  input: AllHistoryInput,
): Promise<ExportFile> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const own = { providerNo, input }
  const rows = await countOwnHistory(db, own, EXPORT_MAX)
  await ctx.record({ action: 'payment.own_history_exported', details: { rows } })
  const day = dateOfDay(dayAt(await mainZone(db, providerNo), ctx.now()))
  return fileOf(day, (part) => listOwnHistory(db, own, part))
}

type Read = (part: Part) => Promise<HistoryRow[]>

function fileOf(day: string, read: Read): ExportFile {
  return {
    fileName: `appointments-${day}.csv`,
    text: writeLines(readBatches(read, EXPORT_MAX)),
  }
}

async function* writeLines(batches: AsyncIterable<HistoryRow[]>): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + CSV_HEADER
  let no = 0
  for await (const rows of batches) {
    const lines = rows.map((row, at) => rowLine(row, no + at + 1))
    no += rows.length
    yield lines.join('')
  }
}

/** Header line: the documented columns, plus what a file needs. */
const CSV_HEADER = csvLine([
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

/** A row of the history as CSV; `no` counts from 1. Missing values read as on the page. */
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

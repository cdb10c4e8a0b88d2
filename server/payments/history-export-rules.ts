import type { HistoryRow } from '#contract/payments-history.ts'
import { csvLine } from '#server/kernel/csv.ts'

/** The first line: the documented columns, and what a file needs beside. */
export const HEAD = csvLine([
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
])

/** `60.00`, which every spreadsheet reads as a number. */
const decimal = (minor: number) => (minor / 100).toFixed(2)

/** A row of the history; `no` counts from 1. What is missing is said as on the page. */
export function rowLine(row: HistoryRow, no: number): string {
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
    row.id,
  ])
}

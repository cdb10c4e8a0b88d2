import type { HistoryRow } from '#contract/payments-history.ts'

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * One cell of a file of comma-separated values (RFC 4180). What would be a formula is text, by the
 * apostrophe that spreadsheets know (ASVS 1.2.10).
 */
export function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line, with its end. */
function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** The first line: the documented columns, and what a file needs beside. */
export const HEAD = line([
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
  return line([
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

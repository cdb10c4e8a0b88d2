/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Says to whoever opens the file that its letters are UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * One cell of a file of comma-separated values (RFC 4180). What would be a formula is text, by the
 * apostrophe that spreadsheets know (ASVS 1.2.10).
 */
function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line of such a file, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

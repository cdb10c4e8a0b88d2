import Papa from 'papaparse'

/** A file that is read while it is sent: only one chunk of it is in memory. */
export type ExportFile = {
  fileName: string
  /** `text/csv` when left out. */
  type?: string
  text: AsyncGenerator<string, void>
}

/**
 * Cells a spreadsheet would run as a formula (ASVS 1.2.10). Papa Parse's own pattern misses a formula that is
 * followed by a line break.
 */
const FORMULA = /^[=+\-@\t\r]/

/** Tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One line of a CSV file (RFC 4180), with its line ending. A leading apostrophe turns formulas into text. */
export function csvLine(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: FORMULA })}\r\n`
}

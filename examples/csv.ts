/** A row of a file with the number of its first line, counted from 1. */
export type CsvRow = { line: number; cells: string[] }

/**
 * Reads comma-separated values (RFC 4180): quoted cells, doubled quotes, line breaks inside quotes,
 * either line ending, a byte order mark. Blank lines are left out.
 */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let cell = ''
  let isQuoted = false
  let line = 1
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const endRow = () => {
    row.cells.push(cell)
    if (row.cells.some((one) => one.trim() !== '')) rows.push(row)
    row = { line, cells: [] }
    cell = ''
  }
  for (let at = 0; at < source.length; at += 1) {
    const sign = source.charAt(at)
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (source.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === ',') {
      row.cells.push(cell)
      cell = ''
    } else if (sign === '\n') endRow()
    else cell += sign
  }
  endRow()
  return rows
}

/** Beginnings that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

function writeCell(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line of a file, with its end. Texts that look like formulas are made harmless. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

import Papa from 'papaparse'

/** A row of a file with the number of its first line, counted from 1. */
export type CsvRow = { line: number; cells: string[] }

/** Reads a CSV file (RFC 4180), with or without a byte order mark. Blank lines are left out. */
export function readCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const rows: CsvRow[] = []
  let line = 1
  let start = 0
  Papa.parse<string[]>(source, {
    delimiter: ',',
    newline: '\n',
    step: ({ data: cells, meta }) => {
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
      line += source.slice(start, meta.cursor).split('\n').length - 1
      start = meta.cursor
    },
  })
  return rows
}

/** Prefixes that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One line of a file, with its line ending. Texts that look like formulas are made harmless. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: FORMULA })}\r\n`
}

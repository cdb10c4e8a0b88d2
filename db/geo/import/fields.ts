import Papa from 'papaparse'

/** The cells of one CSV line (RFC 4180); no list of places has line breaks inside cells. */
export function splitCsv(line: string): string[] {
  const { data } = Papa.parse<string[]>(line, { delimiter: ',', newline: '\n' })
  return data[0] ?? []
}

/** Column names by position, trimmed and lower case, without a byte order mark. */
export function headerCells(cells: readonly string[]): string[] {
  return cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  )
}

/** Degrees from a cell; NaN for an empty one, which must not count as zero degrees. */
export function readDegrees(cell: string | undefined): number {
  return cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell)
}

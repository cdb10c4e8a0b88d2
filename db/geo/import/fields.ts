/** The cells of one CSV line; quotes as RFC 4180 has them, without line breaks inside cells. */
export function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      const [cell, next] = quotedCell(line, at + 1)
      cells.push(cell)
      at = next
    } else {
      const comma = line.indexOf(',', at)
      const end = comma === -1 ? line.length : comma
      cells.push(line.slice(at, end))
      at = end + 1
    }
  }
  return cells
}

function quotedCell(line: string, start: number): [cell: string, next: number] {
  let cell = ''
  let at = start
  for (;;) {
    const quote = line.indexOf('"', at)
    if (quote === -1) return [cell + line.slice(at), line.length + 1]
    cell += line.slice(at, quote)
    if (line[quote + 1] !== '"') return [cell, quote + 2]
    cell += '"'
    at = quote + 2
  }
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

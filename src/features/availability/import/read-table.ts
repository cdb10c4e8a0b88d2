/** A file of rows as text; `lines` are their numbers in the file, from 1. */
export type Table = { head: string[]; rows: { line: number; cells: string[] }[] }

/** Whether bytes look like UTF-16 without a mark: every other byte of Latin text is empty then. */
function isWide(bytes: Uint8Array, odd: 0 | 1): boolean {
  const sample = bytes.subarray(0, 400)
  const empty = sample.filter((byte, at) => at % 2 === odd && byte === 0).length
  return sample.length > 3 && empty > sample.length / 4
}

/**
 * Text of a file as spreadsheets and practice software write them: UTF-8, UTF-16, or else Windows-1252,
 * in which nearly any bytes are text.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const as = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if ((first === 0xff && second === 0xfe) || isWide(bytes, 1)) return as('utf-16le')
  if ((first === 0xfe && second === 0xff) || isWide(bytes, 0)) return as('utf-16be')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return as('windows-1252')
  }
}

/** What hides in a cell or turns text round; the rest of it stays. */
function plainCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * The rows of a CSV file, whatever separates its cells; the first one names the columns. Rows without
 * anything in them are left out. The parser is loaded when it is needed.
 */
export async function readTable(bytes: Uint8Array): Promise<Table> {
  const { default: Papa } = await import('papaparse')
  const text = decodeText(bytes)
  // By the names of the columns alone: rows with gaps in them would mislead it.
  const named = Papa.parse<string[]>(text.replace(/[\r\n][^]*$/, ''), { header: false })
  const { data } = Papa.parse<string[]>(text, { header: false, delimiter: named.meta.delimiter })
  const all = data.map((cells, at) => ({ line: at + 1, cells: cells.map(plainCell) }))
  const [head, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { head: head?.cells ?? [], rows }
}

import { loadCode } from '#app/lib/late-code.ts'
/** A parsed file; `line` counts from 1. */
export type Table = { head: string[]; rows: { line: number; cells: string[] }[] }

/** Detects UTF-16 without a byte order mark: every other byte of Latin text is zero. */
function isUtf16(bytes: Uint8Array, odd: 0 | 1): boolean {
  const sample = bytes.subarray(0, 400)
  const empty = sample.filter((byte, at) => at % 2 === odd && byte === 0).length
  return sample.length > 3 && empty > sample.length / 4
}

/**
 * Decodes a file as written by spreadsheets and practice software: UTF-8, UTF-16, or else Windows-1252, in
 * which almost any byte sequence is valid.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const as = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if ((first === 0xff && second === 0xfe) || isUtf16(bytes, 1)) return as('utf-16le')
  if ((first === 0xfe && second === 0xff) || isUtf16(bytes, 0)) return as('utf-16be')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return as('windows-1252')
  }
}

/** Replaces control, format and bidirectional characters with spaces. */
function sanitizeCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Excel's own first line, which names the delimiter; quoted where the file was written by a program. */
const SEPARATOR_LINE = /^\s*"?sep=(?<mark>[,;|\t:])"?[,;|\t]*(?:\r|\n|$)/i

const importParser = () => import('papaparse')

/**
 * Parses a CSV file with any delimiter; its first row names the columns. Empty rows are dropped. The parser
 * is loaded on demand.
 */
export async function readTable(bytes: Uint8Array): Promise<Table> {
  const { default: Papa } = await loadCode(importParser)
  const text = decodeText(bytes)
  const said = SEPARATOR_LINE.exec(text)
  // Otherwise the delimiter is detected in the header row alone: rows with gaps would mislead the detection.
  const header = /[^\s,;|][^\r\n]*/.exec(text)?.[0] ?? ''
  const delimiter =
    said?.groups?.['mark'] ?? Papa.parse<string[]>(header, { header: false }).meta.delimiter
  const { data } = Papa.parse<string[]>(text, { header: false, delimiter })
  const all = data
    .map((cells, at) => ({ line: at + 1, cells: cells.map(sanitizeCell) }))
    .slice(said === null ? 0 : 1)
  const [head, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { head: head?.cells ?? [], rows }
}

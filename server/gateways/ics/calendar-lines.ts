/** One property of a calendar: `params` begins with `;`, or is empty. */
export type Property = { name: string; params: string; value: string }

/** Maximum line length; `RDATE`, `EXDATE` and `FREEBUSY` lists may be longer. */
export const LINE_MAX = 4_000
export const DATES_MAX = 64_000

const BOM = '\uFEFF'

/** UTF-16 without a mark: a calendar begins with a letter or a line break. */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : null
}

/** The text of a file in UTF-8 or UTF-16. Other encodings differ only where titles and names are. */
export function decodeCalendar(bytes: Uint8Array): string {
  return new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes)
}

/** Whether the line goes on in the next one, as of quoted-printable text (RFC 2045, 6.7). */
function isSoftBreak(line: string): boolean {
  return line.endsWith('=') && /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line)
}

/**
 * Unfolded lines (RFC 5545, 3.1), ended by LF, CRLF or CR; overlong ones are cut above `DATES_MAX`, which shows
 * by their length.
 */
export function* linesOf(text: string): Generator<string, void> {
  const end = text.includes('\n') ? '\n' : '\r'
  let whole = ''
  let at = text.startsWith(BOM) ? 1 : 0
  while (at < text.length) {
    const found = text.indexOf(end, at)
    const stop = found === -1 ? text.length : found
    const line = text.slice(at, stop).replace(/\r$/, '')
    at = stop + 1
    const isSoft = isSoftBreak(whole)
    if (isSoft || line.startsWith(' ') || line.startsWith('\t')) {
      // Stops appending past the limit, so that an overlong line is never assembled.
      if (whole.length <= DATES_MAX)
        whole = isSoft ? whole.slice(0, -1) + line : whole + line.slice(1)
      continue
    }
    if (whole !== '') yield whole
    whole = line
  }
  if (whole !== '') yield whole
}

function decodeQuoted(value: string): string {
  return value.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Where the value of a line begins with its colon, or -1. Colons within quotes belong to a parameter. */
function headOf(line: string): number {
  let isQuoted = false
  for (let at = 0; at < line.length && at <= LINE_MAX; at += 1) {
    const sign = line.charCodeAt(at)
    if (sign === 34) isQuoted = !isQuoted
    else if (sign === 58 && !isQuoted) return at
  }
  return -1
}

/** Where a date begins with its colon: some programs write `TZID=tzone://Microsoft/Custom` without quotes. */
const DATED = /:\d{4}-?\d\d-?\d\d/

/** Parses a line; null if it is not a property. */
export function propertyOf(line: string): Property | null {
  let head = headOf(line)
  if (head === -1) return null
  if (/;TZID=[^";]*$/i.test(line.slice(0, head))) head = Math.max(head, line.search(DATED))
  const semicolon = line.indexOf(';')
  const nameEnd = semicolon !== -1 && semicolon < head ? semicolon : head
  const params = line.slice(nameEnd, head)
  const value = line.slice(head + 1).trim()
  return {
    name: line.slice(0, nameEnd).trim().toUpperCase(),
    params,
    value: /QUOTED-PRINTABLE/i.test(params) ? decodeQuoted(value) : value,
  }
}

/** The value of a parameter, without quotes; undefined if it is missing. */
export function paramOf({ params }: Property, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*("[^"]*"|[^;]*)`, 'i').exec(params)?.[1]
  return found?.replaceAll('"', '').trim()
}

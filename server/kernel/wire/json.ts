import { AppError } from '#server/kernel/errors.ts'

/** Deeper than any input of ours; shallow enough for recursion. */
const MAX_DEPTH = 32

/** Index of the quote that ends the string beginning at `start`; the text is valid JSON. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    let slashes = 0
    while (text.charAt(end - 1 - slashes) === '\\') slashes += 1
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
}

/** Whether the string just read is a key, judging by what follows it. */
function isKeyEnd(text: string, end: number): boolean {
  let index = end + 1
  while (text.charCodeAt(index) <= 0x20) index += 1
  return text.charAt(index) === ':'
}

/** Two spellings of one name (`a`, `\u0061`) are the same key. */
function keyName(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
}

function addKey(keys: Set<string> | null | undefined, name: string): boolean {
  if (keys === null || keys === undefined) return true
  if (keys.has(name)) return false
  keys.add(name)
  return true
}

/** Whether valid JSON nests too deeply or repeats a key in one object. */
function isUnsafe(text: string): boolean {
  // The keys of each object that is open; null for an array.
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(null)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(text, index)
      const isKey = isKeyEnd(text, end)
      if (isKey && !addKey(open.at(-1), keyName(text.slice(index + 1, end)))) return true
      index = end
    }
    if (open.length > MAX_DEPTH) return true
  }
  return false
}

/**
 * Parses untrusted JSON. Malformed text, nesting beyond 32 levels and repeated keys are refused with
 * `not_json`: two parsers must not read the same text differently.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('not_json')
  }
  if (isUnsafe(text)) throw new AppError('not_json')
  return value
}

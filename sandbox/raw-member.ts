/**
 * The text of one member of a JSON object, byte for byte as in `json`; null when there is none. Checksums
 * cover these bytes, and JSON serialized again has others.
 */
export function rawMember(json: string, name: string): string | null {
  let depth = 0
  let at = 0
  while (at < json.length) {
    const char = json.charAt(at)
    if (char === '"') {
      const end = endOfString(json, at)
      const isName = depth === 1 && /^\s*:/.test(json.slice(end))
      if (isName && json.slice(at, end) === JSON.stringify(name)) {
        return readValue(json, json.indexOf(':', end) + 1)
      }
      at = end
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
  }
  return null
}

/** Index after the closing quote of the string that opens at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1
  return at + 1
}

function readValue(json: string, start: number): string {
  let depth = 0
  let at = start
  while (at < json.length) {
    const char = json.charAt(at)
    if (char === '"') {
      at = endOfString(json, at)
      continue
    }
    if (depth === 0 && (char === ',' || char === '}')) break
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
  }
  return json.slice(start, at).trim()
}

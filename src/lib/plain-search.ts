/**
 * The part of an address after the question mark as plain text by name. Each screen reads its own
 * values from text, so `postcode=78701` needs no quotes and `postcode=1e5` is not a number.
 */
export function parsePlainSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The other way: "?postcode=SE1+6ET&page=2", or nothing. What is undefined is left out. */
export function writePlainSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      params.set(name, String(value))
    }
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

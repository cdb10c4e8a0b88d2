/**
 * Parses a query string to plain text by name. Each page interprets its own values, so `postcode=78701` needs
 * no quotes and `postcode=1e5` is not a number.
 */
export function parsePlainSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The inverse: "?postcode=SE1+6ET&page=2", or an empty string. Undefined values are omitted. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      params.set(name, String(value))
    }
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

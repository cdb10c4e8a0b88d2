/** The parsed URL, or null; `URL.parse` and `URL.canParse` are missing in browsers we support. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

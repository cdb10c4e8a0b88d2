const ATTRIBUTES = 'Path=/; Secure; SameSite=Strict'

/** Stands in for `document.cookie` while the server draws a page. */
let drawnFor = ''

/** Says whose page is drawn next on the server: text as in `document.cookie`. */
export function drawFor(cookies: string): void {
  drawnFor = cookies
}

/** The value of a cookie that pages may read, or null. */
export function readCookie(name: string): string | null {
  const start = `${name}=`
  const all = import.meta.env.SSR ? drawnFor : document.cookie
  const found = all.split('; ').find((part) => part.startsWith(start))
  return found === undefined || found === start ? null : found.slice(start.length)
}

/** Keeps a value that needs no escaping, for `maxAge` seconds; 0 removes the cookie. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  // The newer Cookie Store is not in every browser of the baseline.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${name}=${value}; Max-Age=${maxAge}; ${ATTRIBUTES}`
}

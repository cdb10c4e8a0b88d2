type Area = 'local' | 'session'

/** Touching the property already throws where the browser forbids storage, hence the function. */
function open(area: Area): Storage {
  return area === 'local' ? localStorage : sessionStorage
}

/** What the browser keeps under `key`; null when there is nothing, the browser forbids it
 * or the page is drawn on the server. */
export function readStored(key: string, area: Area = 'local'): string | null {
  if (import.meta.env.SSR) return null
  try {
    return open(area).getItem(key)
  } catch {
    return null
  }
}

/** Keeps `value` under `key`, or removes the key when null. A full or forbidden store is no error. */
export function writeStored(key: string, value: string | null, area: Area = 'local'): void {
  try {
    if (value === null) open(area).removeItem(key)
    else open(area).setItem(key, value)
  } catch {
    // Nothing on the page depends on it being kept.
  }
}

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

/** A channel to this site's other tabs; on the server, where nobody listens, a dead end. */
export function channelToTabs(
  name: string,
): Pick<BroadcastChannel, 'addEventListener' | 'postMessage'> {
  if (import.meta.env.SSR) return { addEventListener: () => {}, postMessage: () => {} }
  return new BroadcastChannel(name)
}

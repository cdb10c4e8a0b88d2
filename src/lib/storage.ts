type Area = 'local' | 'session'

/** A function, because accessing the property throws if the browser blocks storage. */
function open(area: Area): Storage {
  return area === 'local' ? localStorage : sessionStorage
}

/** The value stored under `key`; null if there is none, storage is blocked or the server renders the page. */
export function readStored(key: string, area: Area = 'local'): string | null {
  if (import.meta.env.SSR) return null
  try {
    return open(area).getItem(key)
  } catch {
    return null
  }
}

/** Stores `value` under `key`, or removes the key when null. Full or blocked storage is no error. */
export function writeStored(key: string, value: string | null, area: Area = 'local'): void {
  try {
    if (value === null) open(area).removeItem(key)
    else open(area).setItem(key, value)
  } catch {
    // Nothing on the page depends on the value being stored.
  }
}

const ATTRIBUTES = 'Path=/; Secure; SameSite=Strict'

/** The value of a cookie that pages may read, or null. For the browser: the server has `useRenderedCookie`. */
export function readCookie(name: string): string | null {
  const start = `${name}=`
  const found = document.cookie.split('; ').find((part) => part.startsWith(start))
  return found === undefined || found === start ? null : found.slice(start.length)
}

/** Sets a cookie whose value needs no escaping, for `maxAge` seconds; 0 removes it. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  // Not every supported browser has the Cookie Store API.
  document.cookie = `${name}=${value}; Max-Age=${maxAge}; ${ATTRIBUTES}`
}

/** A channel to this site's other tabs; a no-op on the server. */
export function openTabChannel(
  name: string,
): Pick<BroadcastChannel, 'addEventListener' | 'postMessage'> {
  if (import.meta.env.SSR) return { addEventListener: () => {}, postMessage: () => {} }
  return new BroadcastChannel(name)
}

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

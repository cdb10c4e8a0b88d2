import { readStored, writeStored } from './storage.ts'

const LOST = /dynamically imported module|module script|preload CSS/i

/** A network that is there and does not carry must not keep a person waiting. */
const PATIENCE_MS = 5_000

/** Whether code of the page could not be fetched: no network, or a release has replaced the file. */
export function isLostCode(error: unknown): error is Error {
  return error instanceof Error && LOST.test(error.message)
}

/**
 * Reloads the page for lost code, which browsers do not ask for twice. Once for each file and
 * visit, and never where that cannot be remembered, so that a file gone for good makes no loop.
 */
export function reloadOnce({ message }: Error): void {
  // The router reloads for the code of its pages; under its own key nobody does so a second time.
  const key = `tanstack_router_reload:${message}`
  if (readStored(key, 'session') !== null) return
  writeStored(key, '1', 'session')
  if (readStored(key, 'session') !== null) location.reload()
}

/**
 * Offline, the router would answer lost code with a reload, and the browser's own error page would
 * replace the site's. It knows such an error by how the message begins.
 */
export function stayWhenOffline(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!navigator.onLine) payload.message = `Offline: ${payload.message}`
  })
}

/** Whether the site answers; asked before what a browser tries only once. */
export async function isSiteThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    await fetch('/robots.txt', { method: 'HEAD', cache: 'no-store', signal })
    return true
  } catch {
    return false
  }
}

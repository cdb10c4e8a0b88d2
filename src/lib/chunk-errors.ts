import { readStored, writeStored } from './storage.ts'

const CHUNK_ERROR = /dynamically imported module|module script|preload CSS/i

/** Timeout in case the network is connected but carries nothing. */
const TIMEOUT_MS = 5_000

/** Whether a code chunk could not be fetched: no network, or a release has replaced the file. */
export function isChunkLoadError(error: unknown): error is Error {
  return error instanceof Error && CHUNK_ERROR.test(error.message)
}

/**
 * Reloads the page for a lost chunk, which browsers do not fetch again. Reloads once per file and tab
 * session, and never if that cannot be stored, so that a missing file causes no reload loop.
 */
export function reloadOnce({ message }: Error): void {
  // The router reloads for lost chunks of its pages; sharing its key prevents a second reload.
  const key = `tanstack_router_reload:${message}`
  if (readStored(key, 'session') !== null) return
  writeStored(key, '1', 'session')
  if (readStored(key, 'session') !== null) location.reload()
}

/**
 * Offline, the router would reload the page for a lost chunk, and the browser's error page would replace the
 * site. The router recognizes such errors by the start of the message, which is changed here.
 */
export function preventOfflineReload(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!navigator.onLine) payload.message = `Offline: ${payload.message}`
  })
}

/** Whether the site responds; checked before anything that a browser tries only once. */
export async function isSiteReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await fetch('/robots.txt', { method: 'HEAD', cache: 'no-store', signal })
    return true
  } catch {
    return false
  }
}

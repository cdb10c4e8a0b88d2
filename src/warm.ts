/**
 * Overlays that open at the press of a button. Prefetched, they also open after the network is lost: a
 * missing chunk would take down the whole page, and what was typed there.
 */
const parts = [
  () => import('./ui/dialog-popup.tsx'),
  () => import('./features/site/cookie-banner.tsx'),
  () => import('./parts/logout-dialog.tsx'),
]

/** Prefetches those chunks. Failures are ignored: opening one reports its own. */
export function warmUp(): void {
  // Browsers do not retry a module that failed to load: while offline, prefetching waits.
  if (navigator.onLine) void Promise.allSettled(parts.map((load) => load()))
  else addEventListener('online', warmUp, { once: true })
}

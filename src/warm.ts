/**
 * What opens over a page at the press of a button. Fetched ahead of need it also opens after the
 * network is cut: missing, it would take the whole page with it, and what was typed there.
 */
const parts = [
  () => import('./ui/dialog-popup.tsx'),
  () => import('./features/site/cookie-banner.tsx'),
  () => import('./parts/logout-dialog.tsx'),
]

/** Fetches those parts; nobody waits for them yet, and opening one says what is wrong. */
export function warmUp(): void {
  // A file of code that could not be fetched is not asked for again: offline it waits.
  if (navigator.onLine) void Promise.allSettled(parts.map((load) => load()))
  else addEventListener('online', warmUp, { once: true })
}

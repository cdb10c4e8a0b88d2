import './ui/styles.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { preventOfflineReload, reportCaught } from './lib/errors.ts'
import { registerEarlyInput } from './lib/forms/early-input.ts'
import { App, makeRouter } from './router.tsx'
import { makeQueryClient } from './trpc.ts'

// Modules may use Temporal inside functions only: browsers without it get the polyfill here, just before the
// app starts.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const LOAD_TIMEOUT_MS = 700

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

preventOfflineReload()
const router = makeRouter(makeQueryClient())
const options = { onCaughtError: reportCaught }

// As a transition, React hydrates in slices and input in the meantime is not blocked.
if ('rendered' in root.dataset) {
  registerEarlyInput(root)
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <App router={router} Provider={RouterClient} />
      </StrictMode>,
      options,
    )
  })
} else {
  // The header in index.html stays until the page has loaded, unless that takes too long.
  const patience = new Promise((resolve) => setTimeout(resolve, LOAD_TIMEOUT_MS))
  await Promise.race([router.load(), patience])
  startTransition(() => {
    createRoot(root, options).render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    )
  })
}

// A timer, as the browser's `load` event may already have fired: it does not wait for the awaits above.
setTimeout(prefetchOverlays, 3_000)

/**
 * Overlays that open at the press of a button. Prefetched, they also open after the network is lost: a
 * missing chunk would take down the whole page, and what was typed there.
 */
const overlays = [
  () => import('./ui/dialog-popup.tsx'),
  () => import('./features/site/cookie-banner.tsx'),
  () => import('./parts/sign-out.tsx'),
]

/** Prefetches those chunks. Failures are ignored: opening one reports its own. */
function prefetchOverlays(): void {
  // Browsers do not retry a module that failed to load: while offline, prefetching waits.
  if (navigator.onLine) void Promise.allSettled(overlays.map((load) => load()))
  else addEventListener('online', prefetchOverlays, { once: true })
}

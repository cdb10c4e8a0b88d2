import './ui/styles.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { reportCaught } from './lib/errors.ts'
import { registerEarlyInput } from './lib/forms/early-input.ts'
import { keepTranslatedTexts } from './lib/jsx/text-elements.ts'
import { loadCode, prefetchCode, preventRouterReload } from './lib/late-code.ts'
import { App, makeRouter, type Router } from './router.tsx'
import { makeQueryClient } from './trpc.ts'

/** As long as after a navigation, until the router shows that a page is loading. */
const PENDING_AFTER_MS = 200

const loadTemporal = () => import('temporal-polyfill/global')

/**
 * Starts the program. Nothing is awaited at the top level of a module: the files of the pages import this one, and
 * a browser runs them only once it has ended.
 */
async function start(): Promise<void> {
  // Modules may use Temporal inside functions only: browsers without it get the polyfill here.
  if (!('Temporal' in globalThis)) await loadCode(loadTemporal)
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  preventRouterReload()
  const router = makeRouter(makeQueryClient())
  if ('rendered' in root.dataset) hydrate(root, router)
  else await renderLoaded(root, router)
}

const options = { onCaughtError: reportCaught }

/** Hydrates a page rendered by the server, as a transition: in slices, so that input in the meantime is not blocked. */
function hydrate(root: HTMLElement, router: Router): void {
  registerEarlyInput(root)
  // Browsers put translated text into these. Named so, because the types call the element deprecated.
  if (root.querySelector(':is(font)') !== null) keepTranslatedTexts()
  const app = <App router={router} Provider={RouterClient} />
  startTransition(() => void hydrateRoot(root, <StrictMode>{app}</StrictMode>, options))
}

/** Renders the page once it has loaded, or that it is loading: until then the header in index.html stays. */
async function renderLoaded(root: HTMLElement, router: Router): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PENDING_AFTER_MS))
  await Promise.race([router.load(), patience])
  const app = <App router={router} />
  startTransition(() => createRoot(root, options).render(<StrictMode>{app}</StrictMode>))
}

void start()

// A timer, as the browser's `load` event may already have fired.
setTimeout(prefetchCode, 3_000)

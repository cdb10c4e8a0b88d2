import './ui/styles.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { reportCaught } from './lib/errors.ts'
import { registerEarlyInput } from './lib/forms/early-input.ts'
import { keepTranslatedTexts } from './lib/jsx/text-elements.ts'
import { loadCode, prefetchCode, preventRouterReload } from './lib/late-code.ts'
import { App, makeRouter } from './router.tsx'
import { makeQueryClient } from './trpc.ts'

const loadTemporal = () => import('temporal-polyfill/global')

/**
 * Hydrates the document, as a transition: in slices, so that input in the meantime is not blocked. Nothing is awaited at
 * the top level of a module: the files of the pages import this one, and a browser runs them only once it has ended.
 */
async function start(): Promise<void> {
  // Modules may use Temporal inside functions only: browsers without it get the polyfill here.
  if (!('Temporal' in globalThis)) await loadCode(loadTemporal)
  preventRouterReload()
  const router = makeRouter(makeQueryClient())
  registerEarlyInput(document.body)
  // Browsers put translated text into these. Named so, because the types call the element deprecated.
  if (document.querySelector(':is(font)') !== null) keepTranslatedTexts()
  const app = <App router={router} Provider={RouterClient} />
  const options = { onCaughtError: reportCaught }
  startTransition(() => void hydrateRoot(document, <StrictMode>{app}</StrictMode>, options))
}

void start()

// A timer, as the browser's `load` event may already have fired.
setTimeout(prefetchCode, 3_000)

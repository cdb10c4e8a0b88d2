import './ui/styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeFirstAnswers } from './first-answers.ts'
import { stayWhenOffline } from './lib/lost-code.ts'
import { reportCaught } from './lib/report-caught.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { warmUp } from './warm.ts'

// Modules may only touch Temporal inside functions: some browsers get it here, just before the start.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const PATIENCE_MS = 700

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

stayWhenOffline()
const queryClient = makeQueryClient()
takeFirstAnswers(queryClient)
const router = makeRouter(queryClient)

// A page that was served drawn stays until its live twin is whole. The header in index.html does
// as well, unless that takes too long.
const isDrawn = root.querySelector('[data-drawn]') !== null
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
await (isDrawn ? router.load() : Promise.race([router.load(), patience]))

// As a transition, React renders in slices and what is pressed meanwhile is not kept waiting.
startTransition(() => {
  createRoot(root, { onCaughtError: reportCaught }).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
})

// The browser's `load` may be over by now: what is awaited above does not hold it up.
setTimeout(warmUp, 3_000)

import './ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { stayWhenOffline } from './lib/lost-code.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { warmDialog } from './ui/dialog.tsx'

// Modules may only touch Temporal inside functions: some browsers get it here, just before the start.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const PATIENCE_MS = 700

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

stayWhenOffline()
const queryClient = makeQueryClient()
const router = makeRouter(queryClient)

// The header in index.html stays until the first page is whole, or is taking too long.
await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])

createRoot(root).render(
  <StrictMode>
    <App router={router} queryClient={queryClient} />
  </StrictMode>,
)

addEventListener('load', () => setTimeout(warmDialog, 3_000))

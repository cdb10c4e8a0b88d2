import { Suspense, useSyncExternalStore } from 'react'
import { late, loadCode } from '#app/lib/late-code.ts'

const importHost = () => import('./toast-host.tsx')
const loadHost = () => loadCode(importHost)
const ToastHost = late(async () => (await loadHost()).ToastHost)

let isNeeded = false
const listeners = new Set<() => void>()

let markMounted: () => void
const mounted = new Promise<void>((resolve) => {
  markMounted = resolve
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a short message for five seconds; announced politely, never the only place that says it. */
export async function showToast(title: string): Promise<void> {
  // The page says it elsewhere too, so a failure to load is harmless.
  const host = await loadHost().catch(() => null)
  if (host === null) return
  isNeeded = true
  for (const listener of listeners) listener()
  // The list must be mounted first: it would miss the first message.
  await mounted
  host.toasts.add({ title })
}

/** Where toasts appear; its code is loaded with the first of them. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => isNeeded,
    () => false,
  )
  if (!shown) return null
  return (
    <Suspense fallback={null}>
      <ToastHost onStanding={() => markMounted()} />
    </Suspense>
  )
}

import { lazy, Suspense, useSyncExternalStore } from 'react'

const loadHost = () => import('./toast-host.tsx')
const ToastHost = lazy(async () => ({ default: (await loadHost()).ToastHost }))

let isWanted = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a short message for five seconds; announced politely, never the only place it is said. */
export async function showToast(title: string): Promise<void> {
  isWanted = true
  for (const listener of listeners) listener()
  const { toasts } = await loadHost()
  toasts.add({ title })
}

/** Where toasts appear; its code is fetched with the first of them. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => isWanted)
  if (!shown) return null
  return (
    <Suspense fallback={null}>
      <ToastHost />
    </Suspense>
  )
}

import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { Container } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'

/** The mark and the name. The mark is a roof, a person and a door in one stroke. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-brand" />
        <path
          d="M9 23 15.1 9.2a1 1 0 0 1 1.8 0L23 23"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-brand"
        />
        <circle cx="16" cy="20" r="2.4" className="fill-on-brand" />
      </svg>
      <span className="text-xl font-bold tracking-tight text-ink">Apposite</span>
    </span>
  )
}

/** Shows on every page that the network is down, and once that it is back. */
export function NetworkNotice() {
  const isOnline = useOnline()
  const wasOffline = useRef(false)
  useEffect(() => {
    if (isOnline && wasOffline.current) void showToast('You’re back online.')
    wasOffline.current = !isOnline
  }, [isOnline])
  return (
    <div role="status" className="no-print sticky top-0 z-20">
      {!isOnline && (
        <div className="border-b border-warn bg-accent-tint py-2">
          <Container className="flex items-center gap-2.5 text-ink">
            <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-warn" />
            <p>
              You’re offline. You can still read this page, but anything new needs a connection.
            </p>
          </Container>
        </div>
      )}
    </div>
  )
}

import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { Container } from '#app/ui/card.tsx'
import { showToast } from '#app/ui/toast.tsx'

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

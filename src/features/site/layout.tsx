import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { NetworkNotice } from './network-notice.tsx'

/** After a change of page the new heading takes focus, so that it is read out. */
function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        const heading = document.querySelector<HTMLElement>('main h1')
        if (heading === null) return
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }),
    [router],
  )
}

/** Header, page, footer: what all public screens share. */
export function Layout({ children }: { children: ReactNode }) {
  useFocusOnArrival()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <NetworkNotice />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        {children}
      </main>
      <Footer />
      <Toaster />
    </div>
  )
}

import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { NetworkNotice } from './network-notice.tsx'

const CookieBanner = lazy(async () => ({
  default: (await import('./cookie-banner.tsx')).CookieBanner,
}))

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
  const isAsking = useBannerWanted()
  return (
    // Room below the footer, so that the banner never stands on the end of a page for good.
    <div className={cx('flex min-h-dvh flex-col', isAsking && 'pb-(--banner-height)')}>
      <SkipLink />
      {isAsking && (
        <Suspense fallback={null}>
          <CookieBanner />
        </Suspense>
      )}
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

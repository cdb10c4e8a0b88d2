import { ClientOnly } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { CheckoutHeader, Header } from './header.tsx'
import { TermsDialog } from './terms-dialog.tsx'

const CookieBanner = lazy(async () => ({
  default: (await import('./cookie-banner.tsx')).CookieBanner,
}))

type LayoutProps = {
  children: ReactNode
  /** Nothing but the way back leads out of a booking. */
  isCheckout?: boolean
}

/** Header, page, footer: what all public screens share. */
export function Layout({ children, isCheckout = false }: LayoutProps) {
  const isAsking = useBannerWanted()
  return (
    // Room below the footer, so that the banner never stands on the end of a page for good.
    <div className={cx('flex min-h-dvh flex-col', isAsking && 'pb-(--banner-height)')}>
      <SkipLink />
      {isAsking && (
        <ClientOnly>
          <Suspense fallback={null}>
            <CookieBanner />
          </Suspense>
        </ClientOnly>
      )}
      {isCheckout ? <CheckoutHeader /> : <Header />}
      <ClientOnly>
        <TermsDialog />
      </ClientOnly>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        {children}
      </main>
      {!isCheckout && <Footer />}
      <Toaster />
    </div>
  )
}

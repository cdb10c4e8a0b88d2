import { ClientOnly } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useInvalidateMe, useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { CheckoutHeader, Header } from './header.tsx'

const CookieBanner = lazy(async () => ({
  default: (await import('./cookie-banner.tsx')).CookieBanner,
}))

type LayoutProps = {
  children: ReactNode
  /** A booking step: no links but the way back. */
  isCheckout?: boolean
}

/** Header, page, footer: what all public screens share. */
export function Layout({ children, isCheckout = false }: LayoutProps) {
  const isAsking = useBannerWanted()
  return (
    // Space below the footer, so that the banner does not cover the end of the page.
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

/** Asks users to accept the terms if they registered through the API without doing so. */
function TermsDialog() {
  const { data: me } = useMe()
  const invalidateMe = useInvalidateMe()
  const [isPostponed, setPostponed] = useState(false)
  const accept = trpc.auth.acceptTerms.useMutation({ onSuccess: invalidateMe })
  const failure = accept.error === null ? null : describeFailure(accept.error)
  return (
    <Dialog
      isOpen={me?.must_accept_terms === true && !isPostponed}
      onClose={() => setPostponed(true)}
      title="Agree to the terms of use"
      footer={
        <Button isBusy={accept.isPending} onClick={() => accept.mutate({ terms: true })}>
          I agree
        </Button>
      }
    >
      {failure && (
        <Notice kind="danger" title={failure.sentence} className="mb-4">
          <p>Try again in a moment.</p>
        </Notice>
      )}
      <p>
        You haven’t agreed to our terms yet. Please read the{' '}
        <TextLink to="/terms-of-use" target="_blank" rel="noopener">
          terms of use<span className="sr-only"> (opens in a new tab)</span>
        </TextLink>{' '}
        and the{' '}
        <TextLink to="/privacy-cookie" target="_blank" rel="noopener">
          privacy notice<span className="sr-only"> (opens in a new tab)</span>
        </TextLink>
        . Until you do, we’ll ask each time you visit.
      </p>
    </Dialog>
  )
}

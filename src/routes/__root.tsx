import {
  createRootRouteWithContext,
  Outlet,
  redirect,
  Scripts,
  useMatches,
} from '@tanstack/react-router'
import { BareLayout } from '#app/features/site/bare-layout.tsx'
import { Layout } from '#app/features/site/layout.tsx'
import { NotFoundPage } from '#app/features/site/not-found-page.tsx'
import { UnexpectedErrorPage } from '#app/features/site/unexpected-error-page.tsx'
import { useTellLive } from '#app/lib/browser-hooks.ts'
import { isShutOut } from '#app/lib/route-guards.ts'
import { useFocusOnArrival } from '#app/lib/use-focus-on-arrival.ts'
import { NetworkNotice } from '#app/parts/network-notice.tsx'
import type { AppContext } from '#app/router.tsx'

export const Route = createRootRouteWithContext<AppContext>()({
  // The guard of the demo: the address that was wanted waits behind the door.
  beforeLoad: ({ location }) => {
    if (isShutOut(location.pathname)) {
      throw redirect({ to: '/', search: { next: location.href }, replace: true })
    }
  },
  component: RootPage,
  notFoundComponent: NotFoundPage,
  errorComponent: UnexpectedErrorPage,
})

function RootPage() {
  const { isBare, isCheckout, isFramed } = useMatches({
    select: (matches) => ({
      isCheckout: matches.some((match) => match.staticData.isCheckout === true),
      isBare: matches.some((match) => match.staticData.isBare === true),
      isFramed: matches.some((match) => match.staticData.isFramed === true),
    }),
    // The frame of the page is drawn anew for another frame alone.
    structuralSharing: true,
  })
  useFocusOnArrival()
  useTellLive()
  if (isFramed) return <Outlet />
  return (
    <>
      <NetworkNotice />
      {isBare ? (
        <BareLayout>
          <Outlet />
        </BareLayout>
      ) : (
        <Layout isCheckout={isCheckout}>
          <Outlet />
        </Layout>
      )}
      {/* The state to hydrate from: scripts that are gone once they have run. */}
      {import.meta.env.SSR && <Scripts />}
    </>
  )
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page stands without header and footer. */
    isBare?: boolean
    /** A step of booking: a logo and a way back in place of menu and footer. */
    isCheckout?: boolean
    /** The page brings a frame of its own, as those of staff do. */
    isFramed?: boolean
  }
}

import {
  createRootRouteWithContext,
  Outlet,
  redirect,
  Scripts,
  useMatches,
} from '@tanstack/react-router'
import { NotFoundPage, UnexpectedErrorPage } from '#app/features/site/fallback-pages.tsx'
import { BareLayout, Layout } from '#app/features/site/layout.tsx'
import { useFocusOnArrival, useSignalHydrated } from '#app/lib/browser-hooks.ts'
import { needsDemoAccess } from '#app/lib/route-guards.ts'
import { NetworkNotice } from '#app/parts/site-frame.tsx'
import { useForgetOtherUser } from '#app/parts/use-me.ts'
import type { AppContext } from '#app/trpc.ts'

export const Route = createRootRouteWithContext<AppContext>()({
  // Demo guard: sends visitors to the demo sign-in, which then leads to the address they wanted.
  beforeLoad: ({ location }) => {
    if (needsDemoAccess(location.pathname)) {
      throw redirect({ to: '/', search: { next: location.href }, replace: true })
    }
  },
  component: RootPage,
  notFoundComponent: NotFoundPage,
  errorComponent: UnexpectedErrorPage,
})

function RootPage() {
  const { isBare, isCheckout, isFramed, isFullWidth } = useMatches({
    select: (matches) => ({
      isCheckout: matches.some((match) => match.staticData.isCheckout === true),
      isBare: matches.some((match) => match.staticData.isBare === true),
      isFramed: matches.some((match) => match.staticData.isFramed === true),
      isFullWidth: matches.some((match) => match.staticData.isFullWidth === true),
    }),
    // Renders the page's frame again only when these flags change.
    structuralSharing: true,
  })
  useForgetOtherUser()
  useFocusOnArrival()
  useSignalHydrated()
  if (isFramed) return <Outlet />
  return (
    <>
      <NetworkNotice />
      {isBare ? (
        <BareLayout>
          <Outlet />
        </BareLayout>
      ) : (
        <Layout isCheckout={isCheckout} isFullWidth={isFullWidth}>
          <Outlet />
        </Layout>
      )}
      {/* The dehydrated state: scripts that remove themselves once they have run. */}
      {import.meta.env.SSR && <Scripts />}
    </>
  )
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page has no header or footer. */
    isBare?: boolean
    /** A booking step: a logo and a way back replace the menu and footer. */
    isCheckout?: boolean
    /** The page brings its own frame, as staff pages do. */
    isFramed?: boolean
    /** The page takes the whole window on wide screens. */
    isFullWidth?: boolean
  }
}

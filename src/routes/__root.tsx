import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { createRootRouteWithContext, Outlet, redirect, useMatches } from '@tanstack/react-router'
import { Document, SitePending } from '#app/features/site/document.tsx'
import { NotFoundPage, UnexpectedErrorPage } from '#app/features/site/fallback-pages.tsx'
import { BareLayout, Layout } from '#app/features/site/layout.tsx'
import { useFocusOnArrival, useSignalHydrated } from '#app/lib/browser-hooks.ts'
import { needsDemoAccess } from '#app/lib/route-guards.ts'
import { NetworkNotice } from '#app/parts/site-frame.tsx'
import { useForgetOtherUser } from '#app/parts/use-me.ts'
import type { AppContext } from '#app/trpc.ts'

export const Route = createRootRouteWithContext<AppContext>()({
  // Demo guard: sends visitors to the demo sign-in, which then leads to the address they wanted.
  beforeLoad: ({ context, location }) => {
    if (needsDemoAccess(context, location.pathname)) {
      throw redirect({ to: '/', search: { next: location.href }, replace: true })
    }
  },
  // Only pages that need nothing but what the server knows; unknown addresses end here.
  ssr: ({ matches }) => (matches.at(-1)?.staticData.isRendered === true ? undefined : false),
  staticData: { isRendered: true },
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { name: 'color-scheme', content: 'light dark' },
    ],
    links: [
      { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
      { rel: 'manifest', href: '/site.webmanifest' },
      { rel: 'preload', href: figtree, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
    ],
  }),
  shellComponent: Document,
  pendingComponent: SitePending,
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
    /**
     * The server renders the page: those that visitors land on, and those they must not lose on a reload. All others are
     * reached by client-side navigation.
     */
    isRendered?: boolean
    /** The page has a search box, whose wording and options depend on the region. */
    hasSearch?: boolean
  }
}

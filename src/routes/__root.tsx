import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { Layout } from '#app/features/site/layout.tsx'
import { NotFoundPage } from '#app/features/site/not-found-page.tsx'
import { UnexpectedErrorPage } from '#app/features/site/unexpected-error-page.tsx'
import type { AppContext } from '#app/router.tsx'

export const Route = createRootRouteWithContext<AppContext>()({
  component: RootPage,
  notFoundComponent: NotFoundPage,
  errorComponent: UnexpectedErrorPage,
})

function RootPage() {
  return (
    <Layout>
      <Outlet />
    </Layout>
  )
}

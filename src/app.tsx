import { RouterProvider } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { makeRouter } from './router.tsx'
import { trpc } from './trpc.ts'

type Router = ReturnType<typeof makeRouter>

type AppProps = {
  router: Router
  /** In place of the router's usual provider: the one that hydrates what the server rendered. */
  Provider?: ComponentType<{ router: Router }>
}

/** The whole page; the browser's entry, the server and the tests render the same. */
export function App({ router, Provider = RouterProvider }: AppProps) {
  const { queryClient, client } = router.options.context
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <Provider router={router} />
    </trpc.Provider>
  )
}

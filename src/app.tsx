import { RouterProvider } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { makeRouter } from './router.tsx'
import { trpc } from './trpc.ts'

type Router = ReturnType<typeof makeRouter>

type AppProps = {
  router: Router
  /** Replaces the default provider with the one that hydrates the server-rendered page. */
  Provider?: ComponentType<{ router: Router }>
}

/** The whole page, rendered alike by the browser's entry point, the server and the tests. */
export function App({ router, Provider = RouterProvider }: AppProps) {
  const { queryClient, client } = router.options.context
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <Provider router={router} />
    </trpc.Provider>
  )
}

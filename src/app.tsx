import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { makeRouter } from './router.tsx'

type AppProps = { router: ReturnType<typeof makeRouter>; queryClient: QueryClient }

/** The whole page; the browser's entry and the tests render the same. */
export function App({ router, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { makeRouter } from './router.tsx'
import { trpc } from './trpc.ts'

type AppProps = { router: ReturnType<typeof makeRouter> }

/** The whole page; the browser's entry, the server and the tests render the same. */
export function App({ router }: AppProps) {
  const { queryClient, client } = router.options.context
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </trpc.Provider>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#app/features/site/home-page.tsx'

export const Route = createFileRoute('/home')({
  // Not awaited: the page stands at once, its picture and colour join when they arrive.
  loader: ({ context }) => {
    context.queryClient.query(context.trpc.gallery.homepage.queryOptions()).catch(() => {
      // The page stands without its picture.
    })
  },
  component: HomePage,
})

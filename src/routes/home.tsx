import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#app/features/site/home-page.tsx'
import { homepageQuery } from '#app/features/site/use-homepage.ts'

export const Route = createFileRoute('/home')({
  // Not awaited: the page stands at once, its picture and colour join when they arrive.
  loader: ({ context }) => {
    context.queryClient.query(homepageQuery(context.trpc)).catch(() => {
      // The page stands without its picture.
    })
  },
  component: HomePage,
})

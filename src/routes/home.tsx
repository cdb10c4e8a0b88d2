import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#app/features/site/home-page.tsx'
import { homepageOptions } from '#app/features/site/use-homepage.ts'

export const Route = createFileRoute('/home')({
  // Not awaited: the page stands at once, its picture and colour join when they arrive.
  loader: ({ context }) => {
    void context.utils.gallery.homepage.prefetch(undefined, homepageOptions)
  },
  component: HomePage,
})

import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#app/features/site/home-page.tsx'
import { homepageOptions } from '#app/features/site/use-homepage.ts'
import { selectedRegion } from '#app/lib/visitor-place.ts'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'

export const Route = createFileRoute('/home')({
  // Not awaited: the page renders at once, and its picture and colour follow.
  loader: ({ context }) => {
    void context.utils.gallery.homepage.prefetch(undefined, homepageOptions)
    prefetchSpecialities(context.utils, selectedRegion())
  },
  staticData: { isRendered: true, hasSearch: true },
  component: HomePage,
})

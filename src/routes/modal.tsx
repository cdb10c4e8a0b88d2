import { createFileRoute } from '@tanstack/react-router'
import { ModalPreviewPage } from '#app/features/site/info-pages.tsx'
import { homepageOptions } from '#app/features/site/use-homepage.ts'

export const Route = createFileRoute('/modal')({
  loader: async ({ context }) => {
    // The page finds the error in the cache and shows it.
    await context.utils.gallery.homepage.prefetch(undefined, homepageOptions)
  },
  component: ModalPreviewPage,
})

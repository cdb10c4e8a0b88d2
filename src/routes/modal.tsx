import { createFileRoute } from '@tanstack/react-router'
import { ModalPreviewPage } from '#app/features/site/info-pages.tsx'
import { homepageOptions } from '#app/features/site/use-homepage.ts'

export const Route = createFileRoute('/modal')({
  loader: ({ context }) => context.utils.gallery.homepage.fetch(undefined, homepageOptions),
  component: ModalPreviewPage,
})

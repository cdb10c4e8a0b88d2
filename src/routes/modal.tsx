import { createFileRoute } from '@tanstack/react-router'
import { ModalPreviewPage } from '#app/features/site/modal-preview-page.tsx'
import { homepageQuery } from '#app/features/site/use-homepage.ts'

export const Route = createFileRoute('/modal')({
  loader: ({ context }) => context.queryClient.query(homepageQuery(context.trpc)),
  component: ModalPreviewPage,
})

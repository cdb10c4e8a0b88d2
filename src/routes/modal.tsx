import { createFileRoute } from '@tanstack/react-router'
import { ModalPreviewPage } from '#app/features/site/modal-preview-page.tsx'

export const Route = createFileRoute('/modal')({
  loader: ({ context }) => context.queryClient.query(context.trpc.gallery.homepage.queryOptions()),
  component: ModalPreviewPage,
})

import { createFileRoute } from '@tanstack/react-router'
import { GalleryPage } from '#app/features/gallery/gallery-page.tsx'
import { mayHere } from '#app/parts/role-gate.tsx'

export const Route = createFileRoute('/_staff/admin-home/gallery')({
  loader: ({ context }) => {
    if (!mayHere(context, null)) return
    void context.utils.gallery.images.prefetch()
    void context.utils.gallery.versions.prefetch()
  },
  component: GalleryPage,
})

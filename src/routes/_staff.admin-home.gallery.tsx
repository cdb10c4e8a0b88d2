import { createFileRoute } from '@tanstack/react-router'
import { GalleryPage } from '#app/features/gallery/gallery-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/gallery')({
  loader: ({ context }) => {
    whenStaff(context, ({ gallery }) => {
      void gallery.images.prefetch()
      void gallery.versions.prefetch()
    })
  },
  component: GalleryPage,
})

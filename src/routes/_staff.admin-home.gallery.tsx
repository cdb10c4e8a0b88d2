import { createFileRoute } from '@tanstack/react-router'
import { GalleryPage } from '#app/features/gallery/gallery-page.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/gallery')({
  loader: ({ context }) => {
    if (!isStaffAllowed(context, null)) return
    void context.utils.gallery.images.prefetch()
    void context.utils.gallery.versions.prefetch()
  },
  component: GalleryPage,
})

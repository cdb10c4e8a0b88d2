import { createFileRoute } from '@tanstack/react-router'
import { GalleryPage } from '#app/features/gallery/gallery-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/gallery')({ component: GalleryPage })

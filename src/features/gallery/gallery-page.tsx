import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/gallery`: the picture, colour and modal of the homepage. */
export function GalleryPage() {
  return <StaffHeading title="Homepage Image" />
}

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { ColorPart } from './color-part.tsx'
import { HomepagePreview } from './homepage-preview.tsx'
import { ImagesPart } from './images-part.tsx'
import { ModalForm } from './modal-form.tsx'
import { UploadPart } from './upload-part.tsx'
import { VersionsPart } from './versions-part.tsx'

const freshOptions = { staleTime: 2_000, refetchOnWindowFocus: 'always' } as const

const pending = (
  <PendingShapes
    className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4"
    shapes={[
      'h-64 rounded-card col-span-full',
      ...Array.from({ length: 3 }, () => 'h-64 rounded-card'),
    ]}
  />
)

/** `/admin-home/gallery`: the homepage's image, colour and notice. */
export function GalleryPage() {
  return (
    <>
      <Link
        to="/admin-home"
        className={`${textLinkClass} mb-3 inline-flex min-h-11 items-center gap-2 font-semibold no-underline!`}
      >
        <ArrowLeft aria-hidden="true" className="size-5" />
        Back
      </Link>
      <StaffHeading
        title="Homepage Image"
        tab="Gallery"
        lead="What visitors see first. Changes go live straight away and can be undone."
        aside={
          <TextLink to="/home" target="_blank" className="inline-flex min-h-11 items-center">
            See the homepage
          </TextLink>
        }
      />
      <div className="mt-6">
        <DataBoundary failed="The gallery did not load" pending={pending}>
          <Parts />
        </DataBoundary>
      </div>
    </>
  )
}

type PartProps = { title: string; children: ReactNode; className?: string }

function Part({ title, children, className = '' }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`min-w-0 ${className}`}>
      <h2 id={id} className="mb-4 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

const card = 'rounded-card border border-line bg-surface p-4 sm:p-6'

function Parts() {
  const [gallery] = trpc.gallery.images.useSuspenseQuery(undefined, freshOptions)
  const [{ current, versions }] = trpc.gallery.versions.useSuspenseQuery(undefined, freshOptions)
  const reasonId = useId()
  const [tried, setTried] = useState<string | null>(null)
  return (
    <div className="flex flex-col gap-10">
      <RoleReason act="publish" id={reasonId} className="-mb-6" />
      <div className="grid gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <Part title="Current homepage" className={card}>
          <HomepagePreview homepage={current} tried={tried} />
          {current.image_url === null && (
            <p className="mt-4 text-muted">
              The homepage has no image. Choose one from the gallery.
            </p>
          )}
        </Part>
        <Part title="Homepage colour" className={card}>
          <ColorPart current={current} onTry={setTried} reasonId={reasonId} />
        </Part>
      </div>
      <Part title="Gallery">
        <div className="flex flex-col gap-6">
          <div className={card}>
            <UploadPart mine={gallery.mine} />
          </div>
          <ImagesPart gallery={gallery} current={current} reasonId={reasonId} />
        </div>
      </Part>
      <div className="grid items-start gap-x-8 gap-y-10 xl:grid-cols-2">
        <Part title="Modal Settings" className={card}>
          <ModalForm current={current} reasonId={reasonId} />
        </Part>
        <Part title="Versions" className={card}>
          <VersionsPart current={current} versions={versions} reasonId={reasonId} />
        </Part>
      </div>
    </div>
  )
}

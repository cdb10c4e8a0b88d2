import { Link } from '@tanstack/react-router'
import { ArrowLeft, History } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { formatLocalMoment } from '#app/lib/format/dates.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink, textLinkClass } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { type HomepageState, type HomepageVersion, MAX_VERSIONS } from '#contract/gallery.ts'
import { ColorPart, HomepagePreview } from './homepage-color.tsx'
import { ImagesPart, UploadPart } from './images-part.tsx'
import { ModalForm } from './modal-form.tsx'
import { ListResult, usePublish } from './publish-homepage.tsx'

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
        <DataBoundary failed="The gallery didn’t load" pending={pending}>
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

type VersionsPartProps = {
  current: HomepageState
  versions: readonly HomepageVersion[]
  reasonId: string
}

/** Number of versions shown at first; older ones are rarely needed. */
const INITIAL_COUNT = 5

function changeText({ act, restored, homepage }: HomepageVersion): string {
  if (act === 'start') return 'Original'
  if (act === 'image') return 'Set the image'
  if (act === 'color') return `Set the colour to ${homepage.color}`
  if (act === 'restored') return `Went back to version ${restored}`
  return homepage.show_modal ? 'Changed the modal, which is on' : 'Changed the modal, which is off'
}

/** The history of changes, newest first, each of which can be restored. */
function VersionsPart({ current, versions, reasonId }: VersionsPartProps) {
  const isBarred = useStaffRefusal('publish') !== null
  const [showsAll, setShowsAll] = useState(false)
  const [requested, setRequested] = useState<number | null>(null)
  const { publish, isBusy, published, failure } = usePublish(current)
  if (versions.length === 0) {
    return (
      <p className="flex items-center gap-3 text-muted">
        <History aria-hidden="true" className="size-5 shrink-0" />
        Nothing has been changed yet. The last {MAX_VERSIONS} versions will be kept here.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <ListResult published={published} failure={failure} />
      <ol className="flex flex-col">
        {versions.slice(0, showsAll ? undefined : INITIAL_COUNT).map((one) => (
          <li
            key={one.version}
            className="flex flex-wrap items-center justify-end gap-3 border-t border-line py-3 first:border-t-0 first:pt-0"
          >
            <Swatch {...one} />
            <div className="min-w-44 flex-1">
              <p className="font-medium">{changeText(one)}</p>
              <p className="tabular text-sm text-muted">
                Version {one.version}
                {one.act !== 'start' &&
                  `, ${formatLocalMoment(one.at)}, ${one.by ?? 'a former colleague'}`}
              </p>
            </div>
            {one.version === current.version ? (
              <p className="flex min-h-11 items-center px-4 font-semibold text-ok">Now</p>
            ) : (
              <Button
                variant="quiet"
                isBusy={isBusy && requested === one.version}
                disabled={isBarred}
                aria-describedby={isBarred ? reasonId : undefined}
                onClick={() => {
                  setRequested(one.version)
                  publish(
                    `The homepage is as in version ${one.version} again.`,
                    (client, version) =>
                      client.gallery.restore.mutate({ to: one.version, version }),
                  )
                }}
              >
                Go back<span className="sr-only"> to version {one.version}</span>
              </Button>
            )}
          </li>
        ))}
      </ol>
      {versions.length > INITIAL_COUNT && !showsAll && (
        <Button variant="quiet" className="self-start" onClick={() => setShowsAll(true)}>
          Show all {versions.length}
        </Button>
      )}
    </div>
  )
}

function Swatch({ homepage }: HomepageVersion) {
  const small = homepage.image_sizes[0]?.image_url ?? homepage.image_url
  return (
    <div
      style={{ backgroundColor: homepage.color }}
      className="flex h-11 w-16 shrink-0 items-center justify-center overflow-hidden rounded-field border border-field"
    >
      {small !== null && (
        <img src={small} alt="" loading="lazy" className="h-8 w-12 rounded-[4px] object-cover" />
      )}
    </div>
  )
}

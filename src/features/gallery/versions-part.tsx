import { History } from 'lucide-react'
import { useState } from 'react'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { Button } from '#app/ui/button.tsx'
import { type HomepageState, type HomepageVersion, MAX_VERSIONS } from '#contract/gallery-staff.ts'
import { dateFormat } from '#contract/intl.ts'
import { PublishResult } from './publish-result.tsx'
import { usePublish } from './use-gallery.ts'

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

function timeOf(at: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** The history of changes, newest first, each of which can be restored. */
export function VersionsPart({ current, versions, reasonId }: VersionsPartProps) {
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
      <PublishResult
        published={published}
        failure={failure}
        failureTitle="Your change wasn’t made"
      />
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
                {one.act !== 'start' && `, ${timeOf(one.at)}, ${one.by ?? 'a former colleague'}`}
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

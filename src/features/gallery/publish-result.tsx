import type { ReactNode } from 'react'
import type { Failure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { HomepageState } from '#contract/gallery-staff.ts'
import { type Published, usePublish } from './use-gallery.ts'

type PublishResultProps = {
  published: Published | null
  failure: Failure | null
  /** "The colour was not set" */
  failureTitle: string
  children?: ReactNode
}

/** Result of a change: the specification's message with an undo button, or the error. */
export function PublishResult({ published, failure, failureTitle, children }: PublishResultProps) {
  if (failure) {
    return (
      <Notice kind="danger" role="alert" title={failureTitle}>
        <p>{failure.sentence}</p>
        {failure.reference && <p className="text-sm text-muted">Reference: {failure.reference}</p>}
        {children}
      </Notice>
    )
  }
  // A new one for each version, so that it is announced again.
  return published && <Done key={published.now.version} {...published} />
}

function Done({ said, undoTo, now }: Published) {
  return (
    <Notice kind="ok" role="alert">
      <div className="flex flex-wrap items-center gap-x-2">
        <p>{said}</p>
        {undoTo !== null && <Undo to={undoTo} now={now} />}
      </div>
    </Notice>
  )
}

function Undo({ to, now }: { to: number; now: HomepageState }) {
  const { publish, isBusy, published, failure } = usePublish(now)
  if (published) return <p className="text-muted">Undone.</p>
  return (
    <div>
      <Button
        variant="quiet"
        className="-my-2.5 px-2!"
        isBusy={isBusy}
        onClick={() =>
          publish('Undone.', (client, version) => client.gallery.restore.mutate({ to, version }))
        }
      >
        Undo
      </Button>
      {failure && <p className="text-sm text-danger">{failure.sentence}</p>}
    </div>
  )
}

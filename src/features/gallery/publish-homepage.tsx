import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FailureNotice } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { HomepageState } from '#contract/gallery.ts'

/** Refetches all gallery data, including this tab's homepage. */
export function useInvalidateGallery(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.gallery.invalidate(), [utils])
}

type Base = readonly [base: HomepageState, setBase: (now: HomepageState) => void]

type BaseVersionOptions = {
  /** True if nothing unsaved is typed. */
  isClean: boolean
  /** Number of times the user was told of somebody else's change; 0 if the last attempt did not. */
  told: number
  /** Replaces the typed values with the current ones. */
  adopt: (now: HomepageState) => void
}

/**
 * Tracks the version that the typed values are based on: a change by somebody else must not count as seen
 * merely because this page has refetched it. A clean form adopts the change at once; a form with unsaved
 * values keeps them, and may overwrite the change once the user was told about it.
 */
export function useBaseVersion(
  current: HomepageState,
  [base, setBase]: Base,
  following: BaseVersionOptions,
) {
  const { isClean, told, adopt } = following
  const acknowledged = useRef(0)
  useEffect(() => {
    if (base.version === current.version) return
    if (isClean) adopt(current)
    else if (told === 0 || told === acknowledged.current) return
    else acknowledged.current = told
    setBase(current)
  }, [base, current, isClean, told, adopt, setBase])
}

export type Published = {
  /** "Homepage color updated!" */
  said: string
  /** The previous version, for undo; null if nothing changed. */
  undoTo: number | null
  now: HomepageState
}

/** What to say of a change from `before` to `now`. */
export function publishedOver(before: HomepageState, now: HomepageState, said: string): Published {
  return { said, undoTo: now.version > before.version ? now.version - 1 : null, now }
}

type PublishRequest = {
  act: (client: ApiClient, version: number) => Promise<HomepageState>
  said: string
}

/**
 * Changes the homepage: `publish` takes the success message and the request. `current` is the version the
 * user sees; later changes by somebody else are not overwritten.
 */
export function usePublish(current: HomepageState) {
  const utils = trpc.useUtils()
  const invalidate = useInvalidateGallery()
  const [published, setPublished] = useState<Published | null>(null)
  const sending = useMutation({
    mutationFn: ({ act }: PublishRequest) => act(utils.client, current.version),
    onMutate: () => setPublished(null),
    onSuccess: (now, { said }) => setPublished(publishedOver(current, now, said)),
    // Also after an error: it may be due to somebody else's change, which must be shown.
    onSettled: invalidate,
  })
  const failure: Failure | null = sending.error ? describeFailure(sending.error) : null
  return {
    publish: (said: string, act: PublishRequest['act']) => sending.mutate({ said, act }),
    isBusy: sending.isPending,
    published,
    failure,
  }
}

type ListResultProps = { published: Published | null; failure: Failure | null }

/** Result of a change by a button in a list. It takes focus, because that button is gone by then. */
export function ListResult({ published, failure }: ListResultProps) {
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (published !== null) result.current?.focus()
  }, [published])
  return (
    <div ref={result} tabIndex={-1} className="rounded-field empty:hidden">
      <PublishResult
        published={published}
        failure={failure}
        failureTitle="Your change wasn’t made"
      />
    </div>
  )
}

type PublishResultProps = {
  published: Published | null
  /** Omitted where the form shows why it failed. */
  failure?: Failure | null
  /** "Your change wasn’t made" */
  failureTitle?: string
}

/** Result of a change: the specification's message with an undo button, or the error. */
export function PublishResult({
  published,
  failure = null,
  failureTitle = '',
}: PublishResultProps) {
  if (failure) return <FailureNotice title={failureTitle} failure={failure} />
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

/** Takes focus, because the pressed button is gone by then. */
function Undone() {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <p ref={text} tabIndex={-1} className="text-muted">
      Undone.
    </p>
  )
}

function Undo({ to, now }: { to: number; now: HomepageState }) {
  const { publish, isBusy, published, failure } = usePublish(now)
  if (published) return <Undone />
  return (
    <div>
      <Button
        variant="quiet"
        className="-mx-2 -my-2.5 px-2!"
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

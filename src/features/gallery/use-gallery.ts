import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { HomepageState } from '#contract/gallery-staff.ts'

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

type PublishRequest = {
  act: (client: ApiClient, version: number) => Promise<HomepageState>
  said: string
  seen: number
}

/**
 * Changes the homepage: `publish` takes the success message and the request. `current` is the version the
 * user sees, unless `seen` gives another; later changes by somebody else are not overwritten.
 */
export function usePublish(current: HomepageState) {
  const utils = trpc.useUtils()
  const invalidate = useInvalidateGallery()
  const [published, setPublished] = useState<Published | null>(null)
  const sending = useMutation({
    mutationFn: ({ act, seen }: PublishRequest) => act(utils.client, seen),
    onMutate: () => setPublished(null),
    onSuccess: (now, { said }) => {
      const undoTo = now.version > current.version ? now.version - 1 : null
      setPublished({ said, undoTo, now })
    },
    // Also after an error: it may be due to somebody else's change, which must be shown.
    onSettled: invalidate,
  })
  const failure: Failure | null = sending.error ? describeFailure(sending.error) : null
  return {
    publish: (said: string, act: PublishRequest['act'], seen: number = current.version) =>
      sending.mutate({ said, act, seen }),
    isBusy: sending.isPending,
    published,
    failure,
  }
}

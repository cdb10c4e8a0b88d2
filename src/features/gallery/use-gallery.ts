import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { HomepageState } from '#contract/gallery-staff.ts'

/** Fetches everything of the gallery again, the homepage of this very tab included. */
export function useGalleryChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.gallery.invalidate(), [utils])
}

type Base = readonly [base: HomepageState, setBase: (now: HomepageState) => void]

type Following = {
  /** Nothing is typed that is not saved. */
  isClean: boolean
  /** Counts how often the person was told that somebody else has changed it; 0 when not just now. */
  told: number
  /** Shows what is there now. */
  adopt: (now: HomepageState) => void
}

/**
 * Keeps the version that what is typed was made from: what somebody else changes meanwhile must not
 * pass for seen because this page has fetched it. A form in which nothing is typed shows it at once;
 * one in which something is stays as it is, and may be saved over it after the person was told.
 */
export function useFollowing(current: HomepageState, [base, setBase]: Base, following: Following) {
  const { isClean, told, adopt } = following
  const heard = useRef(0)
  useEffect(() => {
    if (base.version === current.version) return
    if (isClean) adopt(current)
    else if (told === 0 || told === heard.current) return
    else heard.current = told
    setBase(current)
  }, [base, current, isClean, told, adopt, setBase])
}

export type Published = {
  /** "Homepage color updated!" */
  said: string
  /** The version before it, to go back to; null when nothing has changed. */
  undoTo: number | null
  now: HomepageState
}

type Wish = {
  act: (client: ApiClient, version: number) => Promise<HomepageState>
  said: string
  seen: number
}

/**
 * Changes the homepage: `publish` with what to do and what to say then. `current` is what the person
 * has before their eyes, unless `seen` names another version; what somebody else has changed since is
 * not overwritten.
 */
export function usePublishing(current: HomepageState) {
  const utils = trpc.useUtils()
  const changed = useGalleryChanged()
  const [published, setPublished] = useState<Published | null>(null)
  const sending = useMutation({
    mutationFn: ({ act, seen }: Wish) => act(utils.client, seen),
    onMutate: () => setPublished(null),
    onSuccess: (now, { said }) => {
      const undoTo = now.version > current.version ? now.version - 1 : null
      setPublished({ said, undoTo, now })
    },
    // After a refusal too: somebody else's change is to be seen.
    onSettled: changed,
  })
  const failure: Failure | null = sending.error ? describeFailure(sending.error) : null
  return {
    publish: (said: string, act: Wish['act'], seen: number = current.version) =>
      sending.mutate({ said, act, seen }),
    isBusy: sending.isPending,
    published,
    failure,
  }
}

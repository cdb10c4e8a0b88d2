import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { HomepageState } from '#contract/gallery-staff.ts'
import { useGalleryChanged } from './use-gallery.ts'

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

import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'

const FRESH = { staleTime: 2_000, refetchOnWindowFocus: 'always' } as const

/** The images there are to choose from. */
export function useImages() {
  return trpc.gallery.images.useQuery(undefined, FRESH)
}

/** What the homepage is now, and what it was. */
export function useVersions() {
  return trpc.gallery.versions.useQuery(undefined, FRESH)
}

/** Fetches everything of the gallery again, the homepage of this very tab included. */
export function useGalleryChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.gallery.invalidate(), [utils])
}

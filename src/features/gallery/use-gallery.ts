import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'

/** Fetches everything of the gallery again, the homepage of this very tab included. */
export function useGalleryChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.gallery.invalidate(), [utils])
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTrpc } from '#app/trpc.ts'

const FRESH = { staleTime: 2_000, refetchOnWindowFocus: 'always' } as const

/** The images there are to choose from. */
export function useImages() {
  return useQuery({ ...useTrpc().gallery.images.queryOptions(), ...FRESH })
}

/** What the homepage is now, and what it was. */
export function useVersions() {
  return useQuery({ ...useTrpc().gallery.versions.queryOptions(), ...FRESH })
}

/** Fetches everything of the gallery again, the homepage of this very tab included. */
export function useGalleryChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    () => client.invalidateQueries({ predicate: ({ queryKey }) => isOfGallery(queryKey[0]) }),
    [client],
  )
}

function isOfGallery(path: unknown): boolean {
  return Array.isArray(path) && path[0] === 'gallery'
}

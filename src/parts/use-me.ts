import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { keepLocally, useSignedInUser } from '#app/lib/session.ts'
import { refreshSession } from '#app/lib/signed-in-fetch.ts'
import { useApi, useTrpc } from '#app/trpc.ts'

/** Who is signed in, asked of the server once a page; nothing is asked without the marker cookie. */
export function useMe() {
  const api = useApi()
  const userId = useSignedInUser()
  const { queryKey } = useTrpc().auth.me.queryOptions()
  return useQuery({
    queryKey: [...queryKey, userId],
    queryFn: async ({ signal }) => {
      const ask = () => api.auth.me.query(undefined, { signal })
      const since = Date.now()
      // Nobody, though the marker is there: the access token has run out.
      const me = (await ask()) ?? ((await refreshSession(since)) ? await ask() : null)
      if (me !== null) keepLocally(me)
      return me
    },
    enabled: userId !== null,
  })
}

/** Says that something about the person has changed, so that the header and the page ask again. */
export function useMeChanged(): () => Promise<void> {
  const client = useQueryClient()
  const { queryKey } = useTrpc().auth.me.queryOptions()
  const [path] = queryKey
  return useCallback(() => client.invalidateQueries({ queryKey: [path] }), [client, path])
}

const PRIVATE_ROOMS = new Set([
  'audit',
  'auth',
  'availability',
  'bankAccounts',
  'booking',
  'gallery',
  'messages',
  'payments',
  'profiles',
  'superUsers',
  'verification',
])

function isPrivate(queryKey: readonly unknown[]): boolean {
  const [path] = queryKey
  return Array.isArray(path) && PRIVATE_ROOMS.has(String(path[0]))
}

/** Drops what the cache holds about a person; to be done whenever that person changes. */
export function forgetPrivate(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => isPrivate(query.queryKey) })
}

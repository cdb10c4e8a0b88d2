import { type QueryClient, useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useCallback } from 'react'
import { keepLocally, useSignedInUser } from '#app/lib/session.ts'
import { refreshSession } from '#app/lib/signed-in-fetch.ts'
import { trpc } from '#app/trpc.ts'

/** Who is signed in, asked of the server once a page; nothing is asked without the marker cookie. */
export function useMe() {
  const utils = trpc.useUtils()
  const userId = useSignedInUser()
  return useQuery({
    queryKey: [...getQueryKey(trpc.auth.me, undefined, 'query'), userId],
    queryFn: async ({ signal }) => {
      const ask = () => utils.client.auth.me.query(undefined, { signal })
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
  const utils = trpc.useUtils()
  return useCallback(() => utils.auth.me.invalidate(), [utils])
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

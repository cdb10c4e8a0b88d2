import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useCallback } from 'react'
import { keepLocally, signedInUser, useSignedInUser } from '#app/lib/session.ts'
import { refreshSession } from '#app/lib/signed-in-fetch.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { Me } from '#contract/auth.ts'

/** Who is signed in under the marker cookie's `userId`; null when that session is over. */
function meOptions(client: ApiClient, userId: string | null) {
  return queryOptions({
    queryKey: [...getQueryKey(trpc.auth.me, undefined, 'query'), userId],
    queryFn: async ({ signal }): Promise<Me | null> => {
      const ask = () => client.auth.me.query(undefined, { signal })
      const since = Date.now()
      // Nobody, though the marker is there: the access token has run out.
      const me = (await ask()) ?? ((await refreshSession(since)) ? await ask() : null)
      if (me !== null) keepLocally(me)
      return me
    },
    enabled: userId !== null,
  })
}

/** Who is signed in, asked of the server once a page; nothing is asked without the marker cookie. */
export function useMe() {
  const { client } = trpc.useUtils()
  return useQuery(meOptions(client, useSignedInUser()))
}

type LoaderContext = { queryClient: QueryClient; client: ApiClient }

/** For loaders: begins to ask who is signed in, unless nobody is. */
export function prefetchMe({ queryClient, client }: LoaderContext): void {
  const userId = signedInUser()
  if (userId === null) return
  queryClient.query(meOptions(client, userId)).catch(() => {
    // The page finds the failure in the cache and says it.
  })
}

/**
 * For loaders: who is signed in, if that is known already. They ask nothing that the server would
 * refuse, as refusals go to the audit log.
 */
export function knownMe({ queryClient, client }: LoaderContext): Me | null {
  return queryClient.getQueryData(meOptions(client, signedInUser()).queryKey) ?? null
}

/** For loaders: whether a provider is known to be here who may see their own pages. */
export function isProviderHere(context: LoaderContext): boolean {
  const me = knownMe(context)
  return me?.kind === 'provider' && !me.must_set_second_factor
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

import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useCallback } from 'react'
import { refreshSession, signedInUser, storeLocally, useSignedInUser } from '#app/lib/session.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { Me } from '#contract/auth.ts'

/** The user under the marker cookie's `userId`; null if that session has ended. */
function meOptions(client: ApiClient, userId: string | null) {
  return queryOptions({
    queryKey: [...getQueryKey(trpc.auth.me, undefined, 'query'), userId],
    queryFn: async ({ signal }): Promise<Me | null> => {
      const ask = () => client.auth.me.query(undefined, { signal })
      const since = Date.now()
      // Null despite the marker cookie: the access token has expired.
      const me = (await ask()) ?? ((await refreshSession(since)) ? await ask() : null)
      if (me !== null) storeLocally(me)
      return me
    },
    enabled: userId !== null,
  })
}

/** The signed-in user, fetched once a page; not fetched without the marker cookie. */
export function useMe() {
  const { client } = trpc.useUtils()
  return useQuery(meOptions(client, useSignedInUser()))
}

type LoaderContext = { queryClient: QueryClient; client: ApiClient }

/** For loaders: prefetches the signed-in user, if there is one. */
export function prefetchMe({ queryClient, client }: LoaderContext): void {
  const userId = signedInUser()
  if (userId === null) return
  queryClient.query(meOptions(client, userId)).catch(() => {
    // The page finds the error in the cache and shows it.
  })
}

/**
 * For loaders: the signed-in user, if known already. Loaders send no request that the server would refuse, as
 * refusals are recorded in the audit log.
 */
export function cachedMe({ queryClient, client }: LoaderContext): Me | null {
  return queryClient.getQueryData(meOptions(client, signedInUser()).queryKey) ?? null
}

/** For loaders: whether the user is known to be a provider who may see their own pages. */
export function isKnownProvider(context: LoaderContext): boolean {
  const me = cachedMe(context)
  return me?.kind === 'provider' && !me.must_set_second_factor
}

/** Call after a change to the user, so that header and page fetch it again. */
export function useInvalidateMe(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.auth.me.invalidate(), [utils])
}

/** Everything but searches may depend on who is signed in: a new router is private until it is named here. */
function isPrivate(queryKey: readonly unknown[]): boolean {
  const [path] = queryKey
  return Array.isArray(path) && path[0] !== 'search'
}

/** Clears personal data from the cache; call whenever the user changes. */
export function clearPrivateQueries(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => isPrivate(query.queryKey) })
}

import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useCallback, useEffect } from 'react'
import {
  refreshSession,
  signedInUser,
  storeLocally,
  useSignedInUser,
  watchUser,
} from '#app/lib/session.ts'
import { type ApiClient, type AppContext, type QueryUtils, trpc } from '#app/trpc.ts'
import type { Me } from '#contract/auth.ts'

/** The user under the marker cookie's `userId`; null if that session has ended. */
function meOptions(client: ApiClient, userId: string | null) {
  return queryOptions({
    queryKey: [...getQueryKey(trpc.auth.me, undefined, 'query'), userId],
    queryFn: async ({ signal }): Promise<Me | null> => {
      const ask = () => client.auth.me.query(undefined, { signal })
      const since = performance.now()
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

/** For loaders: prefetches the signed-in user, if there is one. */
export function prefetchMe({ queryClient, client }: AppContext): void {
  const userId = signedInUser()
  if (userId === null) return
  queryClient.query(meOptions(client, userId)).catch(() => {
    // The page finds the error in the cache and shows it.
  })
}

/**
 * For loaders: calls `prefetch` once the signed-in user is known, which after a reload takes a request. Loaders
 * send no request that the server would refuse, as refusals are recorded in the audit log. Waits for nothing:
 * meanwhile the page shows its frame, and it shows the error if the user does not load.
 */
export function whenSignedIn(
  { queryClient, client }: AppContext,
  prefetch: (me: Me) => void,
): void {
  const userId = signedInUser()
  if (userId === null) return
  queryClient.query({ ...meOptions(client, userId), staleTime: 'static' }).then(
    (me) => me !== null && prefetch(me),
    () => {},
  )
}

/** For loaders: `whenSignedIn` for providers who may see their own pages. */
export function whenProvider(
  context: AppContext,
  prefetch: (utils: QueryUtils, own: NonNullable<Me['provider']>) => void,
): void {
  whenSignedIn(context, ({ provider, must_set_second_factor: isBarred }) => {
    if (provider !== null && !isBarred) prefetch(context.utils, provider)
  })
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

/** Forgets personal data once somebody else has signed in, which may have been in another tab. */
export function useForgetOtherUser(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      watchUser(() => {
        // Reset rather than removed: what is on the screen is fetched again. The user is cached by id.
        void client.resetQueries({
          predicate: ({ queryKey }) => isPrivate(queryKey) && String(queryKey[0]) !== 'auth,me',
        })
      }),
    [client],
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { knownPath, startPage } from '#app/lib/route-guards.ts'
import { mustSetUp, startSession } from '#app/lib/session.ts'
import { clearPrivateQueries } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import type { Me } from '#contract/auth.ts'
import { RADII } from '#contract/search.ts'

export type AuthSearch = {
  /** Shows the provider's registration; the patient's when left out. Signing in, it is only what is offered first. */
  as?: 'provider'
  /** Where to go afterwards; read only through `knownPath`. */
  next?: string
}

/** The query of `/sign-in`, `/register` and `/forgot-password`; unknown values are dropped. */
export function readAuthSearch(search: Record<string, unknown>): AuthSearch {
  const { as, next } = search
  return {
    ...(as === 'provider' && { as }),
    ...(typeof next === 'string' && { next }),
  }
}

/** Starts the session and navigates to `next` if it is one of our pages, else to the user's start page. */
export function useCompleteSignIn(next: string | undefined) {
  const client = useQueryClient()
  const router = useRouter()
  return async (me: Me): Promise<void> => {
    clearPrivateQueries(client)
    startSession(me)
    const start = startPage(me)
    // Staff complete the required setup on the sign-in page itself; `next` is followed afterwards.
    if (start === router.state.location.pathname) return
    await router.navigate({ href: (mustSetUp(me) ? null : knownPath(router, next)) ?? start })
  }
}

/** Replaces the token in the URL once the page has read it. */
export const TOKEN_PLACEHOLDER = 'link'

/**
 * The token of an emailed link, which is then removed from the URL and the history (security.md, call 10).
 * `forget` replaces the URL. Null after a reload, when the token is gone.
 */
export function useLinkToken(urlToken: string, forget: () => void): string | null {
  const [token] = useState(urlToken === TOKEN_PLACEHOLDER ? null : urlToken)
  useEffect(() => {
    if (urlToken !== TOKEN_PLACEHOLDER) forget()
  }, [urlToken, forget])
  return token
}

const SearchQueryKey = z.object({ input: z.object({ radius: z.literal(RADII) }) })

/** The radius of the last search of this visit, in miles; null when nothing was searched for. */
export function useLastRadius(): (typeof RADII)[number] | null {
  const client = useQueryClient()
  const last = client
    .getQueryCache()
    .findAll({ queryKey: getQueryKey(trpc.search.providers) })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0]
  const parsed = SearchQueryKey.safeParse(last?.queryKey[1])
  return parsed.success ? parsed.data.input.radius : null
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { knownPath, startPage } from '#app/lib/route-guards.ts'
import { mustSetUp, startSession } from '#app/lib/session.ts'
import { clearPrivateQueries } from '#app/parts/use-me.ts'
import type { Me } from '#contract/auth.ts'

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

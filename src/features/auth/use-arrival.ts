import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { knownPath } from '#app/lib/known-path.ts'
import { beginSession, hasSetUp } from '#app/lib/session.ts'
import { startPage } from '#app/lib/start-page.ts'
import { forgetPrivate } from '#app/parts/use-me.ts'
import type { Me } from '#contract/auth.ts'

/** Keeps who has signed in and goes to `next`, if that is a screen of ours, else to their own start. */
export function useArrival(next: string | undefined) {
  const client = useQueryClient()
  const router = useRouter()
  return async (me: Me): Promise<void> => {
    forgetPrivate(client)
    beginSession(me)
    const start = startPage(me)
    // What staff have to set up first is set up where they signed in, and `next` waits there.
    if (start === router.state.location.pathname) return
    await router.navigate({ href: (hasSetUp(me) ? null : knownPath(router, next)) ?? start })
  }
}

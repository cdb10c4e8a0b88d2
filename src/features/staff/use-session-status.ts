import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { getMutationKey } from '@trpc/react-query'
import { useEffect } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession } from '#app/lib/session.ts'
import { forgetPrivate, useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { SessionEnd } from '#contract/auth-staff.ts'

/** A right that was taken away is gone from the screen within about that long. */
const EVERY_MS = 1_000

/**
 * Follows what the person here may do, while the page is in view: another role is another set of
 * rights at once, and a session that is over is left. Returns why it is over, or null.
 */
export function useSessionEnd(): SessionEnd | null {
  const client = useQueryClient()
  const { data: me } = useMe()
  const isLoggingOut = useIsLoggingOut()
  const { data: status } = trpc.auth.sessionStatus.useQuery(undefined, {
    // On the way out the answer would be that nobody is signed in.
    enabled: me?.kind === 'staff' && !isLoggingOut,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const over = status?.over ?? null
  const role = status?.role ?? null
  const known = me?.role ?? null
  useEffect(() => {
    if (role === null || known === null || role === known) return
    void showToast(`Your role is now ${role}. What it does not allow is switched off.`)
    // Also what was read: other roles are shown less of it.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isSessionStatus(queryKey) })
  }, [role, known, client])
  return over
}

function isSessionStatus([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path.join('.') === 'auth.sessionStatus'
}

/** The address of this very page, for the way back. */
export function useHere(): string {
  return useLocation({ select: ({ href }) => href })
}

/** Whether the person is on the way out: then nobody has to ask them back. */
export function useIsLoggingOut(): boolean {
  return useIsMutating({ mutationKey: getMutationKey(trpc.auth.signOut) }) > 0
}

/** Ends the session on the server, clears `adminAccessToken` and goes to the staff's sign-in. */
export function useStaffLogout() {
  const client = useQueryClient()
  const router = useRouter()
  return trpc.auth.signOut.useMutation({
    // What is still asked for would come back as a refusal.
    onMutate: () => client.cancelQueries(),
    onSuccess: async ({ localStorage: keys }) => {
      endSession(keys)
      await router.navigate({ to: '/admin-signin', search: {}, ignoreBlocker: true })
      forgetPrivate(client)
    },
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
}

import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { getMutationKey } from '@trpc/react-query'
import { useEffect } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession } from '#app/lib/session.ts'
import { clearPrivateQueries, useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { SessionEndReason } from '#contract/auth-staff.ts'

/** Polling interval in milliseconds, and so about the time until a revoked permission shows. */
const POLL_MS = 1_000

/**
 * Polls the session status while the page is in view: a new role takes effect at once, and an ended session
 * leads away. Returns why it ended, or null.
 */
export function useSessionEnd(): SessionEndReason | null {
  const client = useQueryClient()
  const { data: me } = useMe()
  const isLoggingOut = useIsLoggingOut()
  const { data: status } = trpc.auth.sessionStatus.useQuery(undefined, {
    // Not while signing out, when the response would be that nobody is signed in.
    enabled: me?.kind === 'staff' && !isLoggingOut,
    refetchInterval: POLL_MS,
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
    void showToast(`Your role is now ${role}. Anything it doesn’t allow is now switched off.`)
    // Refetches all data too: other roles see less of it.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isSessionStatus(queryKey) })
  }, [role, known, client])
  return over
}

function isSessionStatus([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path.join('.') === 'auth.sessionStatus'
}

/** The address of this page, to return to. */
export function useCurrentUrl(): string {
  return useLocation({ select: ({ href }) => href })
}

/** Whether the user is signing out, and so need not be asked to sign in again. */
export function useIsLoggingOut(): boolean {
  return useIsMutating({ mutationKey: getMutationKey(trpc.auth.signOut) }) > 0
}

/** Signs out on the server, clears `adminAccessToken` and goes to the staff sign-in. */
export function useStaffLogout() {
  const client = useQueryClient()
  const router = useRouter()
  return trpc.auth.signOut.useMutation({
    // Requests still in flight would be refused.
    onMutate: () => client.cancelQueries(),
    onSuccess: async ({ localStorage: keys }) => {
      endSession(keys)
      await router.navigate({ to: '/admin-signin', search: {}, ignoreBlocker: true })
      clearPrivateQueries(client)
    },
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
}

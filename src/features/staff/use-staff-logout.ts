import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getMutationKey } from '@trpc/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession } from '#app/lib/session.ts'
import { forgetPrivate } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'

/** Whether the person is on the way out: then nobody has to ask them back. */
export function useIsLoggingOut(): boolean {
  return useIsMutating({ mutationKey: getMutationKey(trpc.auth.signOut) }) > 0
}

/** Ends the session on the server, clears `adminAccessToken` and goes to the staff's sign-in. */
export function useStaffLogout() {
  const client = useQueryClient()
  const router = useRouter()
  return trpc.auth.signOut.useMutation({
    onSuccess: async ({ localStorage: keys }) => {
      endSession(keys)
      await router.navigate({ to: '/admin-signin', search: {}, ignoreBlocker: true })
      forgetPrivate(client)
    },
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
}

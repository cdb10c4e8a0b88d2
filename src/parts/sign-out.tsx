import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession } from '#app/lib/session.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { SignOutResponse } from '#contract/auth.ts'
import { clearPrivateQueries } from './use-me.ts'

/** The documented confirmation before logging out. */
export function LogoutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const signOut = useSignOut()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Are you sure you want to logout?"
      footer={
        <>
          <Button
            isBusy={signOut.isPending}
            onClick={() => signOut.mutate('logout', { onSuccess: onClose })}
          >
            Yes
          </Button>
          <Button variant="secondary" onClick={onClose}>
            No
          </Button>
        </>
      }
    >
      <p>You’ll need your email and password to sign in again.</p>
      {signOut.error && (
        <Notice kind="danger" role="alert" title="You’re still logged in" className="mt-4">
          <p>{describeFailure(signOut.error).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}

/** The ways to sign out, and the page each leads to. */
const signOutWays = {
  logout: { to: '/home', ask: (client: ApiClient) => client.auth.signOut.mutate() },
  everywhere: { to: '/home', ask: (client: ApiClient) => client.auth.signOutEverywhere.mutate() },
  demo: { to: '/', ask: (client: ApiClient) => client.auth.leaveDemo.mutate() },
} as const
export type SignOutWay = keyof typeof signOutWays

/**
 * Signs out on the server, removes exactly the local data its response names, and leaves the page. With
 * `again` it goes to the sign-in form, which then returns to `next`.
 */
export function useSignOut(again?: { next: string; as?: 'provider' }) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (way: SignOutWay): Promise<SignOutResponse> => signOutWays[way].ask(utils.client),
    onSuccess: async (answer, way) => {
      // Leaves the page first: its personal data must not turn into errors while it is shown.
      if (again === undefined)
        await router.navigate({ to: signOutWays[way].to, ignoreBlocker: true })
      endSession(answer.localStorage)
      clearPrivateQueries(client)
      // The sign-in page is for signed-out users only.
      if (again !== undefined) await router.navigate({ to: '/sign-in', search: again })
    },
  })
}

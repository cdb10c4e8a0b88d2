import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { endSession } from '#app/lib/session.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import type { SignOutAnswer } from '#contract/auth.ts'
import { forgetPrivate } from './use-me.ts'

/** The ways out, and the page each leads to. */
const ways = {
  logout: { to: '/home', ask: (client: ApiClient) => client.auth.signOut.mutate() },
  everywhere: { to: '/home', ask: (client: ApiClient) => client.auth.signOutEverywhere.mutate() },
  demo: { to: '/', ask: (client: ApiClient) => client.auth.leaveDemo.mutate() },
} as const
export type WayOut = keyof typeof ways

/**
 * Signs out on the server, then forgets exactly what its answer names, and leaves the page: for the
 * sign-in when `again` says as whom to come back, and to what.
 */
export function useSignOut(again?: { next: string; as?: 'provider' }) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (way: WayOut): Promise<SignOutAnswer> => ways[way].ask(utils.client),
    onSuccess: async (answer, way) => {
      // The page goes first: what it shows of the person must not turn into an error underneath.
      if (again === undefined) await router.navigate({ to: ways[way].to, ignoreBlocker: true })
      endSession(answer.localStorage)
      forgetPrivate(client)
      // That page is for people who are not signed in.
      if (again !== undefined) await router.navigate({ to: '/sign-in', search: again })
    },
  })
}

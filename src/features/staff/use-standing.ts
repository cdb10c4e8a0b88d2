import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { StandingOver } from '#contract/auth-staff.ts'

/** A right that was taken away is gone from the screen within about that long. */
const EVERY_MS = 1_000

/**
 * Follows what the person here may do, while the page is in view: another role is another set of
 * rights at once, and a session that is over is left. Returns why it is over, or null.
 */
export function useStanding(): StandingOver | null {
  const client = useQueryClient()
  const { data: me } = useMe()
  const { data: standing } = trpc.auth.standing.useQuery(undefined, {
    enabled: me?.kind === 'staff',
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const over = standing?.over ?? null
  const role = standing?.role ?? null
  const known = me?.role ?? null
  useEffect(() => {
    if (role === null || known === null || role === known) return
    void showToast(`Your role is now ${role}. What it does not allow is switched off.`)
    // Also what was read: other roles are shown less of it.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isStanding(queryKey) })
  }, [role, known, client])
  return over
}

function isStanding([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path.join('.') === 'auth.standing'
}

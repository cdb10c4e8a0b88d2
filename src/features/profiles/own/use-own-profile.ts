import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMeChanged } from '#app/parts/use-me.ts'
import { useTrpc } from '#app/trpc.ts'
import type { OwnProfile } from '#contract/profiles-own.ts'

/** The viewer's profile as they edit it. */
export function useOwnProfile() {
  return useQuery(useTrpc().profiles.own.queryOptions())
}

/** Shows what the server answered to a change, here and wherever else the profile is seen. */
export function useOwnSaved(): (profile: OwnProfile) => Promise<void> {
  const trpc = useTrpc()
  const client = useQueryClient()
  const meChanged = useMeChanged()
  return async (profile) => {
    client.setQueryData(trpc.profiles.own.queryOptions().queryKey, profile)
    await Promise.all([
      meChanged(),
      client.invalidateQueries({ queryKey: trpc.search.preview.queryOptions().queryKey }),
    ])
  }
}

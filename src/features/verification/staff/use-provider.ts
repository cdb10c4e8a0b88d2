import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { useTrpc } from '#app/trpc.ts'
import type { ProviderId } from '#contract/ids.ts'
import type { StaffProviderInput } from '#contract/verification-staff.ts'

/** A provider as staff see them. */
export function useProvider(input: StaffProviderInput) {
  return useQuery({
    ...useTrpc().verification.provider.queryOptions(input),
    // Colleagues decide as well: what is shown is what is.
    staleTime: 0,
  })
}

/** Where a provider is in the queue, for those who work through it. */
export function useQueue(providerId: ProviderId) {
  const isBarred = useWhyNot('verify') !== null
  return useQuery({
    ...useTrpc().verification.queue.queryOptions({ providerId }),
    enabled: !isBarred,
    staleTime: 0,
    // From one to the next the bar stays where it is.
    placeholderData: keepPreviousData,
  })
}

/** Fetches everything again that a decision or a comparison changes; done when it is there. */
export function useProviderChanged(): () => Promise<void> {
  const client = useQueryClient()
  const { provider, providers, queue } = useTrpc().verification
  const keys = [
    provider.queryOptions({ providerId: '' }).queryKey[0],
    providers.queryOptions({}).queryKey[0],
    queue.queryOptions({}).queryKey[0],
  ]
  const known = JSON.stringify(keys)
  return useCallback(async () => {
    const paths: unknown = JSON.parse(known)
    if (!Array.isArray(paths)) return
    await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
  }, [client, known])
}

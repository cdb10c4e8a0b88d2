import { keepPreviousData } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import type { ProviderId } from '#contract/ids.ts'

/** Colleagues decide as well: what is shown is what is. */
export const freshly = { staleTime: 0 }

/** Where a provider is in the queue, for those who work through it. */
export function useQueue(providerId: ProviderId) {
  const isBarred = useWhyNot('verify') !== null
  return trpc.verification.queue.useQuery(
    { providerId },
    {
      enabled: !isBarred,
      staleTime: 0,
      // From one to the next the bar stays where it is.
      placeholderData: keepPreviousData,
    },
  )
}

/** Fetches everything again that a decision or a comparison changes; done when it is there. */
export function useProviderChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(async () => {
    const { provider, providers, queue } = utils.verification
    await Promise.all([provider.invalidate(), providers.invalidate(), queue.invalidate()])
  }, [utils])
}

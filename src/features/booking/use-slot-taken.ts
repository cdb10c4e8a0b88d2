import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useCallback } from 'react'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import type { VisitParams } from '#app/lib/visit-params.ts'
import { trpc } from '#app/trpc.ts'
import type { ProviderProfile } from '#contract/search.ts'

/** Other URL parameters to keep. */
type PreservedParams = VisitParams & { distance?: string | undefined }

/**
 * Handles a time lost to somebody else: goes to the profile, which shows the documented message above the
 * nearest free times. The typed purpose is kept for the next attempt.
 */
export function useSlotTaken(profile: ProviderProfile, wanted: SlotChoice, asked: PreservedParams) {
  const client = useQueryClient()
  const router = useRouter()
  const { id, region } = profile
  const { date, time } = wanted
  const { distance, type, mode } = asked
  return useCallback(async () => {
    // What the cache holds still offers the time.
    client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
    await router.navigate({
      to: '/doctor-profile/$id/$distance',
      params: { id, distance: distance ?? '0' },
      search: { region, date, time, type, mode },
      // Scrolls to the times with the message above them, which may be far down on phones.
      hash: 'times',
      state: { isSlotTaken: true },
      replace: true,
    })
  }, [client, router, id, region, date, time, distance, type, mode])
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The time in the address was lost to somebody else. */
    isSlotTaken?: boolean
  }
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useCallback, useMemo } from 'react'
import { isTransient } from '#app/lib/errors.ts'
import { choiceOf, type SlotChoice } from '#app/lib/slot-choice.ts'
import { askedOf } from '#app/lib/visit-asked.ts'
import { trpc } from '#app/trpc.ts'
import type { Hold, HoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'

/** The time somebody came to book, as the address of the checkout has it. */
export type Wanted = SlotChoice & {
  providerId: string
  distance: string | undefined
  /** What it is about; the first type when undefined. */
  typeId: string | undefined
  /** How it is to take place, from the search or the picker. */
  mode: VisitMode | undefined
  /** Counts how often somebody asked for it: a hold that ended is not found again. */
  attempt: number
  /** They know of their other visit at that time. */
  overlapOk: boolean
}

function toInput(wanted: Wanted): HoldInput {
  const { providerId, date, time, distance, typeId, mode, overlapOk } = wanted
  return {
    providerId,
    date,
    time,
    ...(distance !== undefined && { distance }),
    ...(typeId !== undefined && { typeId }),
    ...(mode !== undefined && { mode }),
    ...(overlapOk && { overlapOk }),
  }
}

/**
 * Keeps the time for the viewer, or finds that it is kept already: a reload, the back button and a
 * second tab come to the same hold with the same draft.
 */
export function useHold(wanted: Wanted, isOver: boolean) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const { providerId, date, time, typeId, attempt, overlapOk } = wanted
  const queryKey = useMemo(
    () => [['booking', 'hold'], providerId, date, time, typeId, attempt, overlapOk] as const,
    [providerId, date, time, typeId, attempt, overlapOk],
  )
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }): Promise<Hold> =>
      utils.client.booking.hold.mutate(toInput(wanted), { signal }),
    // Once it is over a time is only taken again by somebody who asks for it.
    enabled: !isOver,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Another tab may have gone on, or paid.
    refetchOnWindowFocus: 'always',
    retry: (failures, error) => failures < 2 && isTransient(error),
  })
  const update = useCallback(
    (change: (hold: Hold) => Hold) => {
      client.setQueryData<Hold>(queryKey, (hold) => hold && change(hold))
    },
    [client, queryKey],
  )
  return { ...query, update }
}

export type UpdateHold = ReturnType<typeof useHold>['update']

/**
 * Leaves the checkout for the profile and gives the time back, so that it can be chosen there again.
 * `isSame` keeps it chosen.
 */
export function useLeave(hold: Hold) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  const { provider, region, distance, startsAt, timeZone } = hold
  return useMutation({
    mutationFn: (_way: { isSame: boolean }) =>
      utils.client.payments.leave.mutate({ holdId: hold.id }),
    // Not given back now, it ends by itself when its minutes are over: nobody waits for that here.
    onSettled: async (_answer, _error, { isSame }) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: provider.id, distance: distance ?? '0' },
        search: { region, ...askedOf(hold), ...(isSame && choiceOf(startsAt, timeZone)) },
      })
    },
  })
}

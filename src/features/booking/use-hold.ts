import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useCallback, useMemo } from 'react'
import { isTransient } from '#app/lib/errors.ts'
import { choiceOf, type SlotChoice, visitParamsOf } from '#app/lib/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import type { Hold, HoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'

/** The requested time and options from the checkout's URL. */
export type HoldRequest = SlotChoice & {
  providerId: string
  distance: string | undefined
  /** Visit type; the provider's first one when undefined. */
  typeId: string | undefined
  /** Mode of the visit, from the search or the picker. */
  mode: VisitMode | undefined
  /** Number of the attempt: a new attempt does not find a hold that ended. */
  attempt: number
  /** The patient has confirmed an overlap with another visit. */
  overlapOk: boolean
}

function toInput(request: HoldRequest): HoldInput {
  const { providerId, date, time, distance, typeId, mode, overlapOk } = request
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
 * Creates or finds the user's hold: a reload, the back button and a second tab get the same hold and draft.
 */
export function useHold(request: HoldRequest, isOver: boolean) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const { providerId, date, time, typeId, attempt, overlapOk } = request
  const queryKey = useMemo(
    () => [['booking', 'hold'], providerId, date, time, typeId, attempt, overlapOk] as const,
    [providerId, date, time, typeId, attempt, overlapOk],
  )
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }): Promise<Hold> =>
      utils.client.booking.hold.mutate(toInput(request), { signal }),
    // An expired hold is created again only on request.
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
 * Releases the hold and returns to the profile, where the time can be chosen again. `isSame` keeps it
 * selected there.
 */
export function useReleaseHold(hold: Hold) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  const { provider, region, distance, startsAt, timeZone } = hold
  return useMutation({
    mutationFn: (_way: { isSame: boolean }) =>
      utils.client.payments.leave.mutate({ holdId: hold.id }),
    // If releasing fails, the hold expires by itself, so the navigation does not depend on it.
    onSettled: async (_answer, _error, { isSame }) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: provider.id, distance: distance ?? '0' },
        search: { region, ...visitParamsOf(hold), ...(isSame && choiceOf(startsAt, timeZone)) },
      })
    },
  })
}

/** The last typed purpose and its author. In memory only, because it is health data. */
let saved: { userId: string; text: string } | null = null

/** Keeps the text for this user's next checkout, in case the current hold is lost. */
export function savePurpose(userId: string, text: string): void {
  saved = { userId, text }
}

/** The text this user typed before losing a hold; '' for any other user. */
export function savedPurpose(userId: string): string {
  return saved?.userId === userId ? saved.text : ''
}

/** Called once the visit is booked: the next one needs its own purpose. */
export function clearPurpose(): void {
  saved = null
}

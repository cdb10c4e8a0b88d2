import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useEffectEvent } from 'react'
import { timeUntil, useWhenReached } from '#app/lib/dates/server-clock.ts'
import { choiceParamsOf, visitParamsOf } from '#app/lib/dates/slot-choice.ts'
import { retryTransient } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { useRetryOnline } from '#app/ui/notice.tsx'
import type { Hold, SlotTime } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'

/** The requested time and options from the checkout's URL. */
export type HoldRequest = SlotTime & {
  providerId: string
  distance: string | undefined
  /** Visit type; the provider's first one when undefined. */
  typeId: string | undefined
  /** Mode of the visit, from the search or the picker. */
  mode: VisitMode | undefined
}

/**
 * Makes a change on arrival, and again once the network is back if it failed. A remount makes it again, so the
 * server has to answer a repeat with what there is.
 */
export function useOnArrival(act: () => void, hasFailed: boolean): void {
  const start = useEffectEvent(act)
  useEffect(() => {
    // Later, so that of the two runs in StrictMode the first is cancelled.
    const starting = setTimeout(start, 0)
    return () => clearTimeout(starting)
  }, [])
  useRetryOnline(() => {
    if (hasFailed) act()
  })
}

/** What a further request for the same hold adds to the first. */
type Addition = {
  /** The patient has confirmed an overlap with another visit. */
  overlapOk?: boolean
  /** A solved challenge. */
  captchaValue?: string
}

/**
 * Creates or finds the user's hold: a reload, the back button and a second tab get the same hold and draft.
 * `take` asks again, and remembers what an earlier call has added.
 */
export function useHold({ distance, typeId, mode, ...request }: HoldRequest, isOver: boolean) {
  const { booking } = trpc.useUtils()
  const taking = trpc.booking.hold.useMutation({
    retry: retryTransient,
    onSuccess: (hold) => booking.current.setData({ holdId: hold.id }, hold),
  })
  const take = ({ overlapOk = taking.variables?.overlapOk, captchaValue }: Addition = {}) =>
    taking.mutate({
      ...request,
      ...(distance !== undefined && { distance }),
      ...(typeId !== undefined && { typeId }),
      ...(mode !== undefined && { mode }),
      ...(overlapOk && { overlapOk }),
      ...(captchaValue !== undefined && { captchaValue }),
    })
  useOnArrival(() => take(), taking.isError)
  const key = { holdId: taking.data?.id ?? '' }
  const { data: hold, refetch } = trpc.booking.current.useQuery(key, {
    enabled: taking.isSuccess && !isOver,
    staleTime: Number.POSITIVE_INFINITY,
    // Another tab may have gone on, paid, or let the time go.
    refetchOnWindowFocus: 'always',
  })
  return {
    hold,
    error: taking.error,
    take,
    refetch,
    /** Applies a change that the server has confirmed. */
    update: async (change: (now: Hold) => Hold) => {
      // The response to an earlier read may still arrive, and would undo the change.
      await booking.current.cancel(key)
      booking.current.setData(key, (now) => now && change(now))
    },
  }
}

/**
 * Calls `onOver` once the hold's time is up and the server says so too: another tab may have extended it. Checks
 * nothing while `isWatching` is false.
 */
export function useHoldOver(hold: Hold | undefined, isWatching: boolean, onOver: () => void): void {
  const { booking, client } = trpc.useUtils()
  const checking = useMutation({
    mutationFn: (holdId: string) => client.booking.current.query({ holdId }),
    onSuccess: (now) => {
      if (now.state === 'held' && timeUntil(now.holdUntil) > 0) {
        booking.current.setData({ holdId: now.id }, now)
      } else onOver()
    },
    onError: onOver,
  })
  useWhenReached(hold?.state === 'held' && isWatching ? hold.holdUntil : undefined, () => {
    if (hold !== undefined && !checking.isPending) checking.mutate(hold.id)
  })
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
  const { provider, region, distance, startsAt, mainZone } = hold
  return useMutation({
    mutationFn: (_way: { isSame: boolean }) =>
      utils.client.payments.leave.mutate({ holdId: hold.id }),
    // If releasing fails, the hold expires by itself, so the navigation does not depend on it.
    onSettled: async (_answer, _error, { isSame }) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: provider.id, distance: distance ?? '0' },
        search: {
          region,
          ...visitParamsOf(hold),
          ...(isSame && choiceParamsOf(startsAt, mainZone)),
        },
      })
    },
  })
}

/** The last typed purpose, its author and its provider. In memory only, because it is health data. */
let saved: { userId: string; providerId: string; text: string } | null = null

/** Keeps the text for this user's next checkout, in case the current hold is lost. */
export function savePurpose(userId: string, hold: Hold, text: string): void {
  saved = { userId, providerId: hold.provider.id, text }
}

/**
 * The purpose to begin with. What this user last typed for the same provider comes first, because the server may only
 * have an earlier text.
 */
export function initialPurpose(userId: string, hold: Hold): string {
  const typed = saved?.userId === userId ? saved.text : ''
  if (saved?.providerId === hold.provider.id && typed !== '') return typed
  return hold.purposeForVisit || typed
}

/** Called once the visit is booked: the next one needs its own purpose. */
export function clearPurpose(): void {
  saved = null
}

import type { VisitorHold } from '#contract/booking.ts'
import { ProviderId } from '#contract/ids.ts'
import { isOwnPath } from '#contract/next-path.ts'
import { choiceOf, readDate, readTime, type SlotChoice } from './slot-choice.ts'

type Kept = Pick<VisitorHold, 'region' | 'startsAt' | 'timeZone' | 'distance'> & {
  provider: { id: string }
}

/** The address of the checkout for a time, as `next` carries it. */
export function bookingPath({ provider, region, startsAt, timeZone, distance }: Kept): string {
  const search = new URLSearchParams({ region, ...choiceOf(startsAt, timeZone) })
  if (distance !== null) search.set('distance', distance)
  return `/appointment/${provider.id}?${search}`
}

/** The time somebody was about to book before they had to sign in. */
export type WantedTime = { providerId: ProviderId; choice: SlotChoice; distance: string | null }

/** Which time `next` leads to the checkout of; null when it leads elsewhere. */
export function wantedIn(next: string | undefined): WantedTime | null {
  if (next === undefined || !isOwnPath(next)) return null
  const { pathname, searchParams } = new URL(next, 'http://own.invalid')
  const id = ProviderId.safeParse(/^\/appointment\/([^/]+)\/?$/.exec(pathname)?.[1])
  const date = readDate(searchParams.get('date'))
  const time = readTime(searchParams.get('time'))
  if (!id.success || date === undefined || time === undefined) return null
  return { providerId: id.data, choice: { date, time }, distance: searchParams.get('distance') }
}

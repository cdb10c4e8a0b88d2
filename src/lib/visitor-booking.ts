import type { VisitFacts, VisitorHold } from '#contract/booking.ts'
import { ProviderId, VisitTypeId } from '#contract/ids.ts'
import { isOwnPath } from '#contract/next-path.ts'
import { VisitMode } from '#contract/search.ts'
import { choiceOf, readDate, readTime, type SlotChoice } from './slot-choice.ts'

/** URL parameters of a visit besides its time: the type and the mode. */
export type VisitParams = { type?: string | undefined; mode?: VisitMode | undefined }

/** The same for a held visit; if the provider has only one type, only the video mode is included. */
export function visitParamsOf({
  typeId,
  typeName,
  mode,
}: Pick<VisitFacts, 'typeId' | 'typeName' | 'mode'>): VisitParams {
  if (typeName !== null) return { type: typeId ?? undefined, mode }
  return mode === 'video' ? { mode } : {}
}

type HeldVisit = Pick<
  VisitorHold,
  'region' | 'startsAt' | 'timeZone' | 'distance' | 'typeId' | 'typeName' | 'mode'
> & {
  provider: { id: string }
}

/** URL of the checkout for a time, as used in `next`. */
export function bookingPath(held: HeldVisit): string {
  const { provider, region, startsAt, timeZone, distance } = held
  const { type, mode } = visitParamsOf(held)
  const search = new URLSearchParams({ region, ...choiceOf(startsAt, timeZone) })
  if (distance !== null) search.set('distance', distance)
  if (type !== undefined) search.set('type', type)
  if (mode !== undefined) search.set('mode', mode)
  return `/appointment/${provider.id}?${search}`
}

/** The time somebody was about to book before they had to sign in. */
export type RequestedTime = {
  providerId: ProviderId
  choice: SlotChoice
  distance: string | null
  /** Type and mode of the visit, if given. */
  typeId: VisitTypeId | undefined
  mode: VisitMode | undefined
}

/** The time whose checkout `next` leads to; null if it leads elsewhere. */
export function parseBookingPath(next: string | undefined): RequestedTime | null {
  if (next === undefined || !isOwnPath(next)) return null
  const { pathname, searchParams } = new URL(next, 'http://own.invalid')
  const id = ProviderId.safeParse(/^\/appointment\/([^/]+)\/?$/.exec(pathname)?.[1])
  const date = readDate(searchParams.get('date'))
  const time = readTime(searchParams.get('time'))
  if (!id.success || date === undefined || time === undefined) return null
  const distance = searchParams.get('distance')
  const type = VisitTypeId.safeParse(searchParams.get('type'))
  const mode = VisitMode.safeParse(searchParams.get('mode'))
  return {
    providerId: id.data,
    choice: { date, time },
    distance,
    typeId: type.data,
    mode: mode.data,
  }
}

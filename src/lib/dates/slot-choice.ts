import { ProviderId, VisitTypeId } from '#contract/base/ids.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { isOwnPath } from '#contract/base/next-path.ts'
import type { SlotTime, VisitFacts, VisitorHold } from '#contract/booking.ts'
import { VisitMode } from '#contract/search.ts'
import { dayOf, zoneOfRepeated } from './format.ts'

/** A time as the URL carries it: a day and a wall time in the clinic's own zone. */
type WallChoice = { date: string; time: string }

export type SlotChoice = WallChoice & {
  /** The one meant, where clocks show the time twice that day: its instant, and its zone as in "GMT". */
  which?: { startsAt: string; zone: string } | undefined
}

/** The wall time of an instant in a zone, always 24-hour: `09:30`. */
export function wallTime(startsAt: string, timeZone: string): string {
  const clock = dateFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return clock.format(new Date(startsAt))
}

/** Minutes after midnight of a wall time: `09:30`. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

/** A free time as link parameters: the `date` and `time` of the specification's booking details. */
export function choiceOf(startsAt: string, timeZone: string): WallChoice {
  return { date: dayOf(startsAt, timeZone), time: wallTime(startsAt, timeZone) }
}

/** A free time as a choice that also tells apart two which clocks show alike. */
export function slotChoiceOf(startsAt: string, timeZone: string): SlotChoice {
  const zone = zoneOfRepeated(startsAt, timeZone)
  const choice = choiceOf(startsAt, timeZone)
  return zone === null ? choice : { ...choice, which: { startsAt, zone } }
}

/** A choice as procedures take it. */
export function slotTimeOf({ date, time, which }: SlotChoice): SlotTime {
  return which === undefined ? { date, time } : { startsAt: which.startsAt }
}

/** "14:30", or "01:30 GMT" where clocks show the time twice that day. */
export function formatChoice({ time, which }: SlotChoice, timeZone: string): string {
  const shown = formatWallTime(time, timeZone)
  return which === undefined ? shown : `${shown} ${which.zone}`
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** A day from a URL; anything that is not a real day counts as none chosen. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined
  const time = Date.parse(`${value}T00:00:00Z`)
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  return isReal ? value : undefined
}

/** A wall time from a URL; anything malformed counts as none chosen. */
export function readTime(value: unknown): string | undefined {
  return typeof value === 'string' && TIME.test(value) ? value : undefined
}

/** A wall time in the local notation: "14:30" in the UK, "2:30 pm" in the USA. */
export function formatWallTime(time: string, timeZone: string): string {
  if (timeZone === 'Europe/London') return time
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
}

type Day = { date: string; slots: readonly { startsAt: string }[] }

/** Only for differences between wall times of the same clinic, so the zone cancels out. */
function wallMinutes({ date, time }: WallChoice): number {
  return Date.parse(`${date}T${time}:00Z`) / 60_000
}

const DAY_MINUTES = 1_440

/**
 * The instants, as ISO text, at which the clinic's clock shows a choice, earliest first: two in the hour that
 * clocks repeat, none in the one they skip.
 */
export function instantsOf(choice: WallChoice, timeZone: string): string[] {
  const wall = wallMinutes(choice)
  if (Number.isNaN(wall)) return []
  const iso = (minutes: number) => new Date(minutes * 60_000).toISOString()
  const shown = (minutes: number) => wallMinutes(choiceOf(iso(minutes), timeZone))
  // With the zone's offset a day before, and a day after: one of them applies, or both.
  const found = [wall - DAY_MINUTES, wall + DAY_MINUTES].map((near) => wall + near - shown(near))
  return [...new Set(found)].filter((minutes) => shown(minutes) === wall).map(iso)
}

/** The three free times closest to one that is gone, earliest first. */
export function nearestTimes(days: readonly Day[], wanted: SlotChoice, timeZone: string): string[] {
  const target = wallMinutes(wanted)
  return days
    .flatMap((day) => day.slots)
    .map(({ startsAt }) => ({
      startsAt,
      gap: Math.abs(wallMinutes(choiceOf(startsAt, timeZone)) - target),
    }))
    .toSorted((a, b) => a.gap - b.gap)
    .slice(0, 3)
    .map(({ startsAt }) => startsAt)
    .toSorted()
}

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

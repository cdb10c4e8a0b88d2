import { dayOf, zoneLabel, zoneOfRepeated } from '#app/lib/format/dates.ts'
import { ProviderId, VisitTypeId } from '#contract/base/ids.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { isOwnPath } from '#contract/base/next-path.ts'
import { DEFAULT_REGION, regionFacts } from '#contract/base/region.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import type { SlotTime, VisitFacts, VisitorHold } from '#contract/booking.ts'
import { VisitMode } from '#contract/search.ts'

/** A day and a wall time in a zone: in URLs that of the provider's main place, wherever the time is. */
type WallChoice = { date: string; time: string }

/**
 * A time as the URL carries it. `fold` is 1 for the second of two that clocks show alike (the term of PEP 495);
 * without it the first is meant.
 */
export type ChoiceParams = WallChoice & { fold?: 1 | undefined }

/** An instant, as ISO text, and the zone in which it is shown. */
export type Moment = { startsAt: string; timeZone: string }

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

/** The day and the wall time of an instant: the `date` and `time` of the specification's booking details. */
export function choiceOf(startsAt: string, timeZone: string): WallChoice {
  return { date: dayOf(startsAt, timeZone), time: wallTime(startsAt, timeZone) }
}

/** A free time as a choice that also tells apart two which clocks show alike. */
export function slotChoiceOf(startsAt: string, timeZone: string): SlotChoice {
  const zone = zoneOfRepeated(startsAt, timeZone)
  const choice = choiceOf(startsAt, timeZone)
  return zone === null ? choice : { ...choice, which: { startsAt, zone } }
}

const HOUR_MS = 3_600_000

/** A free time as link parameters, in the zone of the provider's main place. */
export function choiceParamsOf(startsAt: string, timeZone: string): ChoiceParams {
  const choice = choiceOf(startsAt, timeZone)
  const hourBefore = new Date(Date.parse(startsAt) - HOUR_MS).toISOString()
  return { ...choice, fold: wallTime(hourBefore, timeZone) === choice.time ? 1 : undefined }
}

/** A choice as link parameters. */
export function paramsOfChoice({ date, time, which }: SlotChoice, timeZone: string): ChoiceParams {
  return which === undefined
    ? { date, time, fold: undefined }
    : choiceParamsOf(which.startsAt, timeZone)
}

/** The zone in which link parameters are read: that of the provider's main place. */
export function mainZoneOf({ places }: { places: readonly { timeZone: string }[] }): string {
  return places[0]?.timeZone ?? regionFacts[DEFAULT_REGION].timeZone
}

/** The choice that link parameters name; `fold` is ignored at a time that clocks show once. */
export function choiceOfParams({ fold, ...wall }: ChoiceParams, timeZone: string): SlotChoice {
  const second = fold === 1 ? instantsOf(wall, timeZone)[1] : undefined
  return second === undefined ? wall : slotChoiceOf(second, timeZone)
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

/** No calendar of appointments reaches this day, on the server either. */
const END = '3000-01-01'

/** A day from a URL; anything that is not a real day, or is centuries away, counts as none chosen. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value) || value >= END) return undefined
  const time = Date.parse(`${value}T00:00:00Z`)
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  return isReal ? value : undefined
}

/** A wall time from a URL; anything malformed counts as none chosen. */
export function readTime(value: unknown): string | undefined {
  return typeof value === 'string' && TIME.test(value) ? value : undefined
}

/** Whether a URL means the second of two equal times; anything but 1 does not. */
export function readFold(value: unknown): 1 | undefined {
  return value === 1 || value === '1' ? 1 : undefined
}

/** A wall time in the local notation: "14:30" in the UK, "2:30 pm" in the USA. */
export function formatWallTime(time: string, timeZone: string): string {
  if (!factsOfZone(timeZone).hour12) return time
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
}

/** The instant of a choice, as ISO text: of two equal times the first, unless the choice says which. */
export function instantOfChoice(choice: SlotChoice, timeZone: string): string | undefined {
  return choice.which?.startsAt ?? instantsOf(choice, timeZone)[0]
}

/** "London time, GMT" at the time of a choice; of one that clocks skip, at noon. */
export function zoneOfChoice(choice: SlotChoice, timeZone: string): string {
  return zoneLabel(instantOfChoice(choice, timeZone) ?? `${choice.date}T12:00:00Z`, timeZone)
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
  'region' | 'startsAt' | 'mainZone' | 'distance' | 'typeId' | 'typeName' | 'mode'
> & {
  provider: { id: string }
}

/** URL of the checkout for a time, as used in `next`. */
export function bookingPath(held: HeldVisit): string {
  const { provider, region, startsAt, mainZone, distance } = held
  const { type, mode } = visitParamsOf(held)
  const { date, time, fold } = choiceParamsOf(startsAt, mainZone)
  const search = new URLSearchParams({ region, date, time })
  if (fold !== undefined) search.set('fold', String(fold))
  if (distance !== null) search.set('distance', distance)
  if (type !== undefined) search.set('type', type)
  if (mode !== undefined) search.set('mode', mode)
  return `/appointment/${provider.id}?${search}`
}

/** The time somebody was about to book before they had to sign in. */
export type RequestedTime = {
  providerId: ProviderId
  choice: ChoiceParams
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
    choice: { date, time, fold: readFold(searchParams.get('fold')) },
    distance,
    typeId: type.data,
    mode: mode.data,
  }
}

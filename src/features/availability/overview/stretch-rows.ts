import { formatTime } from '#app/lib/format/dates.ts'
import type { Explanation, TimeReason } from '#contract/availability.ts'

type Stretch = Explanation['stretches'][number]

/** A segment of the bar; its length is in minutes. */
export type BarPart = { reason: TimeReason; minutes: number; startsAt: string }

const stretchMinutes = ({ startsAt, endsAt }: Stretch) =>
  (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000

/** Closed time shown at either end of the day, in minutes; more would only narrow the rest. */
const NIGHT = 60

/** Segments of the bar: adjacent stretches of one kind are merged, and closed time at both ends is cut. */
export function barParts(stretches: readonly Stretch[]): {
  parts: BarPart[]
  startsAt: string
  endsAt: string
} {
  const parts: BarPart[] = []
  for (const stretch of stretches) {
    const last = parts.at(-1)
    const minutes = stretchMinutes(stretch)
    if (last?.reason === stretch.reason) last.minutes += minutes
    else parts.push({ reason: stretch.reason, minutes, startsAt: stretch.startsAt })
  }
  let startsAt = stretches[0]?.startsAt ?? ''
  let endsAt = stretches.at(-1)?.endsAt ?? ''
  const isNight = (part: BarPart | undefined): part is BarPart =>
    part?.reason === 'outside_hours' && part.minutes > NIGHT && parts.length > 1
  const [first] = parts
  if (isNight(first)) {
    startsAt = new Date(Date.parse(startsAt) + (first.minutes - NIGHT) * 60_000).toISOString()
    parts[0] = { ...first, startsAt, minutes: NIGHT }
  }
  const last = parts.at(-1)
  if (isNight(last)) {
    endsAt = new Date(Date.parse(endsAt) - (last.minutes - NIGHT) * 60_000).toISOString()
    parts[parts.length - 1] = { ...last, minutes: NIGHT }
  }
  return { parts, startsAt, endsAt }
}

const isAlike = (one: Stretch, other: Stretch | undefined) =>
  other !== undefined &&
  one.reason === other.reason &&
  one.placeId === other.placeId &&
  stretchMinutes(one) === stretchMinutes(other)

/** Number of leading stretches that alternate between equal times and equal buffers. */
function runLength(stretches: readonly Stretch[]): number {
  const [first, buffer] = stretches
  if (first === undefined || buffer?.reason !== 'buffer' || first.reason === 'buffer') return 1
  let length = 1
  while (isAlike(buffer, stretches[length]) && isAlike(first, stretches[length + 1])) length += 2
  return length
}

/** A row of a day's list: one stretch, or several separated only by buffers. */
export type Row = Pick<Stretch, 'startsAt' | 'reason' | 'text'>

/**
 * Rows of a day's list. Times that alternate with a buffer become one row, "09:00 to 12:10: Free, every 30
 * minutes with 10 minutes between".
 */
export function mergedRows({ stretches, timeZone }: Explanation): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < stretches.length; ) {
    const length = runLength(stretches.slice(at))
    const [first, buffer] = stretches.slice(at)
    const last = stretches[at + length - 1]
    if (first === undefined || last === undefined) break
    const { startsAt, reason, label, text } = first
    if (buffer === undefined || length === 1) rows.push({ startsAt, reason, text })
    else {
      const span = `${formatTime(startsAt, timeZone)} to ${formatTime(last.endsAt, timeZone)}`
      const pattern = `${stretchMinutes(first)} minutes each with ${stretchMinutes(buffer)} minutes between`
      rows.push({ startsAt, reason, text: `${span}: ${label}, ${pattern}` })
    }
    at += length
  }
  return rows
}

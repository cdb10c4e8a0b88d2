import { formatTime } from '#app/lib/format.ts'
import type { Explanation } from '#contract/availability.ts'

type Stretch = Explanation['stretches'][number]

const minutesOf = ({ startsAt, endsAt }: Stretch) =>
  (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000

const isAlike = (one: Stretch, other: Stretch | undefined) =>
  other !== undefined &&
  one.reason === other.reason &&
  one.placeId === other.placeId &&
  minutesOf(one) === minutesOf(other)

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
    const { startsAt, reason, text } = first
    if (buffer === undefined || length === 1) rows.push({ startsAt, reason, text })
    else {
      const span = `${formatTime(startsAt, timeZone)} to ${formatTime(last.endsAt, timeZone)}`
      const what = text.replace(/^.*?: /, '')
      const pattern = `${minutesOf(first)} minutes each with ${minutesOf(buffer)} minutes between`
      rows.push({ startsAt, reason, text: `${span}: ${what}, ${pattern}` })
    }
    at += length
  }
  return rows
}

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

/** How many stretches from the first on are times of one kind and length with a buffer between each two. */
function runLength(stretches: readonly Stretch[]): number {
  const [first, buffer] = stretches
  if (first === undefined || buffer?.reason !== 'buffer' || first.reason === 'buffer') return 1
  let length = 1
  while (isAlike(buffer, stretches[length]) && isAlike(first, stretches[length + 1])) length += 2
  return length
}

/** A row of a day's list: a stretch, or several that only the time between visits parts. */
export type Row = Pick<Stretch, 'startsAt' | 'reason' | 'text'>

/**
 * The stretches of a day as rows for a person: hours that a buffer cuts into visits are one row, "09:00 to
 * 12:10: Free, every 30 minutes with 10 minutes between".
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

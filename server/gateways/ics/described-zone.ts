import type { Observance } from './calendar-file.ts'
import { occurrencesOf } from './rules.ts'
import {
  type Instant,
  parseOffset,
  parseStamp,
  UnreadableError,
  valuesOf,
  type Wall,
  type Zone,
} from './times.ts'

/** Changes of clocks before 1970 are not looked for: no calendar of today needs them. */
const SINCE = 0
const YEAR_MS = 366 * 86_400_000
/** Most changes of clocks of one zone. */
const CHANGES_MAX = 2_000

type Change = { at: Instant; offset: number }

/** The changes of clocks to one observance. Throws `UnreadableError`. */
function changesTo(observance: Observance, until: Instant): (Change & { before: number })[] {
  const values = (name: string) => observance.filter((one) => one.name === name)
  const valueOf = (name: string) => values(name)[0]?.value ?? ''
  const offset = parseOffset(valueOf('TZOFFSETTO'))
  if (offset === null) throw new UnreadableError('This observance has no offset.')
  const before = parseOffset(valueOf('TZOFFSETFROM')) ?? offset
  const toWall = (text: string): Wall => {
    const stamp = parseStamp(text)
    return stamp.kind === 'instant' ? stamp.at + before : stamp.wall
  }
  const start = valueOf('DTSTART') === '' ? SINCE : toWall(valueOf('DTSTART'))
  const repeated = values('RRULE').flatMap(({ value }) => {
    // Its last time is given in UTC (RFC 5545, 3.6.5).
    const last = /UNTIL=([^;]*)/i.exec(value)?.[1]
    const range = { from: SINCE, until: until + YEAR_MS }
    const found = occurrencesOf(value, start, range).walls
    return last === undefined ? found : found.filter((wall) => wall <= toWall(last))
  })
  const added = values('RDATE').flatMap((one) => valuesOf(one).map(toWall))
  const walls = [...new Set([start, ...repeated, ...added])]
  if (walls.length > CHANGES_MAX) throw new UnreadableError('This zone changes too often.')
  return walls.map((wall) => ({ at: wall - before, offset, before }))
}

/** The zone that a `VTIMEZONE` describes, until an instant; null if the description cannot be read. */
export function describedZone(observances: readonly Observance[], until: Instant): Zone | null {
  let found: (Change & { before: number })[]
  try {
    found = observances.flatMap((one) => changesTo(one, until)).toSorted((a, b) => a.at - b.at)
  } catch (error) {
    if (error instanceof UnreadableError) return null
    throw error
  }
  const [earliest] = found
  if (earliest === undefined) return null
  const changes: Change[] = [{ at: -Infinity, offset: earliest.before }, ...found]
  return {
    offsetAt(instant) {
      let [low, high] = [0, changes.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((changes[middle]?.at ?? Infinity) <= instant) low = middle
        else high = middle - 1
      }
      return changes[low]?.offset ?? 0
    },
  }
}

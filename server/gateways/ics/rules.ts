import { RRuleTemporal } from 'rrule-temporal'
import { toDate } from '#server/kernel/clock.ts'
import { UnreadableError, type Wall } from './times.ts'

/** No real calendar recurs every second or minute; expanding such a rule would take too long. */
const TOO_FREQUENT = /FREQ=(?:SECONDLY|MINUTELY)/i

/** How many periods of a rule are looked through: two centuries of days. */
const PERIODS_MAX = 80_000

type Occurrences = {
  walls: Wall[]
  /** Whether the rule breaks RFC 5545, so that programs read it in different ways. */
  isDoubtful: boolean
}

function makeRule(rule: string, start: Wall, strict: boolean): RRuleTemporal {
  return new RRuleTemporal({
    rruleString: `RRULE:${rule}`,
    dtstart: Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC'),
    tzid: 'UTC',
    includeDtstart: true,
    strict,
    cache: false,
    maxIterations: PERIODS_MAX,
  })
}

/**
 * The times of a rule within a range, as clocks show them. `UNTIL` is left to the caller, who knows the zone. Throws
 * `UnreadableError` for a rule that is none, or too much of one.
 */
export function occurrencesOf(
  rule: string,
  start: Wall,
  { from, until }: { from: Wall; until: Wall },
): Occurrences {
  if (TOO_FREQUENT.test(rule)) throw new UnreadableError('This rule is too frequent.')
  const endless = rule
    .toUpperCase()
    .replaceAll(/;?UNTIL=[^;]*/g, '')
    .replace(/^;|;$/g, '')
  const expand = (strict: boolean) =>
    makeRule(endless, start, strict)
      .between(toDate(from), toDate(until), true)
      .map(({ epochMilliseconds }) => epochMilliseconds)
  try {
    return { walls: expand(true), isDoubtful: false }
  } catch {
    try {
      return { walls: expand(false), isDoubtful: true }
    } catch (error) {
      throw new UnreadableError('This rule cannot be read.', { cause: error })
    }
  }
}

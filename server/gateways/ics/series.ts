import { DAY_MS } from '#contract/base/time.ts'
import { first } from './calendar-file.ts'
import { type Property, paramOf } from './calendar-lines.ts'
import type { Entry, Named } from './entries.ts'
import { periodOf } from './free-busy.ts'
import type { Places } from './places.ts'
import { occurrencesOf } from './rules.ts'
import { type Instant, parseStamp, type Span, UnreadableError, valuesOf } from './times.ts'
import { instantOf, instantsOf, wallOf } from './zones.ts'

/** An occurrence of an entry, and when its busy time is. */
export type Occurrence = { at: Instant; span: Span }

type Reading = {
  places: Places
  range: { from: Instant; until: Instant }
  /** What could not be read is noted here. */
  problems: Problems
}

/** Most dates of one entry. */
const TIMES_MAX = 6_000

/** What an entry's rules and dates could not say. */
export type Problems = { rule: boolean; date: boolean }

/** The properties of an entry by a name, one for each of their values. */
function listed({ raw }: Entry, name: string): Property[] {
  return raw.properties
    .filter((one) => one.name === name)
    .flatMap((property) => valuesOf(property).map((value) => ({ ...property, value })))
    .slice(0, TIMES_MAX)
}

/** Whether `UNTIL` of a rule still includes an occurrence (RFC 5545, 3.3.10). */
function endOfRule(rule: string, entry: Entry): (at: Instant) => boolean {
  const text = /UNTIL=([^;]*)/i.exec(rule)?.[1]
  if (text === undefined) return () => true
  const until = parseStamp(text)
  const { zone, isWholeDays } = entry
  // The last day, where Outlook gives an instant for a series of days.
  if (isWholeDays) {
    const wall = until.kind === 'instant' ? wallOf(until.at, zone) : until.wall
    return (at) => wallOf(at, zone) <= wall
  }
  if (until.kind === 'instant') return (at) => at <= until.at
  // A day without a time is all of that day.
  const last = until.kind === 'date' ? until.wall + DAY_MS - 1 : until.wall
  return (at) => wallOf(at, zone) <= last
}

function startsOf(rule: string, entry: Entry, { range, problems }: Reading): Instant[] {
  const { zone, wall, longestMs } = entry
  const isIncluded = endOfRule(rule, entry)
  const walls = { from: range.from - longestMs - DAY_MS, until: range.until + DAY_MS }
  const found = occurrencesOf(rule, wall, walls)
  problems.rule ||= found.isDoubtful
  // What recurs each hour does so in both hours that clocks show alike.
  const isHourly = /FREQ=HOURLY/i.test(rule)
  const instants = found.walls.flatMap((one) =>
    isHourly ? instantsOf(one, zone) : [instantOf(one, zone)],
  )
  if (instants.length > TIMES_MAX) throw new UnreadableError('This rule has too many times.')
  return instants.filter(isIncluded)
}

/** The occurrences that `RDATE` adds; periods have their own length (RFC 5545, 3.8.5.2). */
function addedTo(entry: Entry, places: Places, problems: Problems): Occurrence[] {
  return listed(entry, 'RDATE').flatMap((property) => {
    try {
      if (property.value.includes('/')) {
        const name = paramOf(property, 'TZID')
        const zone = name === undefined ? entry.zone : places.zoneOf(name)
        const { start, end } = periodOf(property.value, zone)
        return [{ at: start, span: entry.spanAt(start, { days: 0, ms: end - start }) }]
      }
      const named = entry.occurrenceIn(property, places)
      const at = 'at' in named ? named.at : entry.startOn(named.day)
      return [{ at, span: entry.spanAt(at) }]
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      problems.date = true
      return []
    }
  })
}

/** Finds out which occurrences are named, by their start or by their day. */
export function namedSet(named: readonly Named[], entry: Entry): (at: Instant) => boolean {
  const starts = new Set(named.flatMap((one) => ('at' in one ? one.at : [])))
  const days = new Set(named.flatMap((one) => ('day' in one ? one.day : [])))
  return (at) => starts.has(at) || (days.size > 0 && days.has(entry.dayOf(at)))
}

/**
 * The occurrences of an entry that may overlap a range: by its rules and dates, without those that are excluded.
 * Throws `UnreadableError` for a rule that cannot be read.
 */
export function occurrencesIn(entry: Entry, reading: Reading): Occurrence[] {
  const { places, problems } = reading
  const rules = (name: string) => entry.raw.properties.filter((one) => one.name === name)
  const starts = (name: string) =>
    rules(name).flatMap(({ value }) => startsOf(value, entry, reading))
  const ruled = first(entry.raw, 'RRULE') === undefined ? [entry.start] : starts('RRULE')
  const excluded = listed(entry, 'EXDATE').flatMap((property): Named[] => {
    try {
      return [entry.occurrenceIn(property, places)]
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      problems.date = true
      return []
    }
  })
  const isExcluded = namedSet([...excluded, ...starts('EXRULE').map((at) => ({ at }))], entry)
  const added = addedTo(entry, places, problems)
  const isAdded = namedSet(added, entry)
  // A period of `RDATE` says how long the occurrence of the rule takes that begins with it.
  const all = ruled.filter((at) => !isAdded(at)).map((at) => ({ at, span: entry.spanAt(at) }))
  return [...all, ...added].filter(({ at }) => !isExcluded(at))
}

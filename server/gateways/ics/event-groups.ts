import { first, type RawCalendar, type RawEvent } from './calendar-file.ts'
import { isForLater } from './later-changes.ts'

const DATE = /^\d{8}$/

/**
 * Changes of single occurrences that name only their day: of a series at a time of day, its occurrence of that
 * day is meant.
 */
function withTimes(changes: readonly RawEvent[], base: RawEvent | undefined): RawEvent[] {
  const start = base === undefined ? undefined : first(base, 'DTSTART')
  const timeOfDay = start?.value.slice(8) ?? ''
  return changes.map((change) => ({
    ...change,
    properties: change.properties.map((one) => {
      const isDated = one.name === 'RECURRENCE-ID' && DATE.test(one.value)
      if (!isDated || start === undefined || timeOfDay === '') return one
      const params = `${start.params}${isForLater(change) ? ';RANGE=THISANDFUTURE' : ''}`
      return { name: one.name, params, value: `${one.value}${timeOfDay}` }
    }),
  }))
}

/** The entries of a calendar that belong together, by UID: each series with its changes. */
export function groupsOf({ events }: RawCalendar): RawEvent[][] {
  const byUid = Map.groupBy(events, (event) => first(event, 'UID')?.value || Symbol('none'))
  return [...byUid.values()].flatMap((group) => {
    // Several entries of one series: the highest `SEQUENCE` wins, as in the parser.
    const bases = group.filter((one) => first(one, 'RECURRENCE-ID') === undefined)
    if (bases.length === 0) {
      // Somebody invited to some occurrences has those alone: the parser would return only one of them.
      return [...Map.groupBy(group, (one) => first(one, 'RECURRENCE-ID')?.value).values()]
    }
    const sequence = (one: RawEvent) => Number(first(one, 'SEQUENCE')?.value ?? 0) || 0
    const newest = bases.toSorted((a, b) => sequence(a) - sequence(b)).at(-1)
    const changes = group.filter((one) => first(one, 'RECURRENCE-ID') !== undefined)
    return [[...(newest === undefined ? [] : [newest]), ...withTimes(changes, newest)]]
  })
}

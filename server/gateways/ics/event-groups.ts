import { first, type RawCalendar, type RawEvent } from './calendar-file.ts'

/** The entries of one UID. */
export type EventGroup = {
  /** Entries and series; several if a publisher gives unrelated entries one UID. */
  bases: RawEvent[]
  /** Changes of occurrences, by `RECURRENCE-ID`. */
  changes: RawEvent[]
}

function sequenceOf(event: RawEvent): number {
  return Number(first(event, 'SEQUENCE')?.value) || 0
}

function stampOf(event: RawEvent): string {
  return first(event, 'DTSTAMP')?.value ?? ''
}

/**
 * The newest versions of one entry (RFC 5546, 2.1.5): of the highest `SEQUENCE`, and of these the latest `DTSTAMP`.
 * More than one if nothing tells them apart.
 */
function newestOf(events: readonly RawEvent[]): RawEvent[] {
  const top = events.reduce((most, one) => Math.max(most, sequenceOf(one)), -Infinity)
  const latest = events.filter((one) => sequenceOf(one) === top)
  const stamp = latest.reduce((most, one) => (stampOf(one) > most ? stampOf(one) : most), '')
  return latest.filter((one) => stampOf(one) === stamp)
}

/** Publishers that number no versions reuse UIDs (against 3.8.4.7): then all entries count. */
function basesOf(events: readonly RawEvent[]): RawEvent[] {
  const isVersioned = events.some((one) => first(one, 'SEQUENCE') !== undefined)
  return isVersioned ? newestOf(events) : [...events]
}

/** The entries of a calendar that belong together, by UID; one by one, as a large file has tens of thousands. */
export function groupsOf({ events }: RawCalendar): IteratorObject<EventGroup, undefined> {
  const byUid = Map.groupBy(events, (event) => first(event, 'UID')?.value || Symbol('none'))
  return byUid.values().map((group) => {
    const isChange = (one: RawEvent) => first(one, 'RECURRENCE-ID') !== undefined
    const changes = Map.groupBy(group.filter(isChange), (one) => {
      const { params = '', value = '' } = first(one, 'RECURRENCE-ID') ?? {}
      return `${params}:${value}`.toUpperCase()
    })
    return {
      bases: basesOf(group.filter((one) => !isChange(one))),
      changes: [...changes.values()].flatMap((versions) => newestOf(versions).slice(-1)),
    }
  })
}

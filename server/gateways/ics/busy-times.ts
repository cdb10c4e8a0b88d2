import ical, { type EventInstance, type VEvent } from 'node-ical'
import { DAY_MS, toIso } from '#contract/base/time.ts'
import { toDate } from '#server/kernel/clock.ts'
import { inDays, withLastDay } from './calendar-days.ts'
import {
  busyPeriodsOf,
  CalendarZones,
  first,
  type Property,
  type RawCalendar,
  type RawEvent,
  type Span,
  scanCalendar,
} from './calendar-file.ts'
import { groupsOf } from './event-groups.ts'
import { changedSpan, isForLater, type LaterChange, laterChangeOf } from './later-changes.ts'
import { RepeatedHours } from './repeated-hours.ts'

/** Epoch milliseconds. */
type Instant = number

/** The time range and options to read a calendar with. */
export type CalendarView = {
  from: Instant
  until: Instant
  /** Zone of all-day entries and floating times (no `TZID`), unless the calendar sets a default zone. */
  timeZone: string
  skipsAllDay: boolean
}

export type BusyTimes = {
  /** Sorted by start; they neither overlap nor touch. */
  spans: Span[]
  /** Entries that this product exported, by visit id: whether one counts depends on whose visit it is. */
  own: (Span & { id: string })[]
  /** Number of entries that could not be parsed. */
  unreadable: number
}

/** Why a calendar could not be read. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError'
  readonly failure: 'no_calendar' | 'too_complex'

  constructor(failure: 'no_calendar' | 'too_complex') {
    super(`The calendar could not be read: ${failure}`)
    this.failure = failure
  }
}

/** Limits: relevant entries, occurrences of one entry, occurrences of all entries together. */
const EVENTS_MAX = 20_000
const TIMES_MAX = 6_000
const ALL_TIMES_MAX = 60_000
/** Limit on busy spans after overlapping and touching ones are merged, and on exported visits. */
const SPANS_MAX = 5_000

/** UID of a visit or desk visit in the calendars we export. */
const OWN_UID = /^((?:apt|dsk)_[0-9a-z]{26})@apposite$/

/** No real calendar recurs every second or minute; expanding such a rule would take too long. */
const TOO_FREQUENT = /FREQ=(?:SECONDLY|MINUTELY)/i

const STAMP =
  /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)(Z?))?$/

const valueOf = (event: RawEvent, name: string): string =>
  first(event, name)?.value.toUpperCase() ?? ''

/** Whether an entry, or one occurrence of a series, marks the time as busy. */
function isBusy(event: RawEvent): boolean {
  return (
    valueOf(event, 'STATUS') !== 'CANCELLED' &&
    valueOf(event, 'TRANSP') !== 'TRANSPARENT' &&
    valueOf(event, 'X-MICROSOFT-CDO-BUSYSTATUS') !== 'FREE'
  )
}

function isAllDay(event: RawEvent): boolean {
  const start = first(event, 'DTSTART')?.value ?? ''
  return /^\d{8}$/.test(start) || valueOf(event, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE'
}

class Unreadable extends Error {}

/** Expands the entries of one calendar file into busy times. */
class CalendarReader {
  readonly #view: CalendarView
  readonly #zones: CalendarZones
  /** Zone of all-day entries and floating times. */
  readonly #zone: string
  readonly #repeated = new RepeatedHours()
  #times = 0

  constructor(calendar: RawCalendar, view: CalendarView) {
    this.#view = view
    this.#zones = new CalendarZones(calendar.zones)
    const named = calendar.zone === null ? null : this.#zones.find(calendar.zone)
    this.#zone = named ?? view.timeZone
  }

  /** A date-time property rewritten for the parser: in UTC, in an IANA zone, or as a date. */
  #stamp({ name, params, value }: Property): string {
    const text = value.toUpperCase()
    const found = STAMP.exec(text)
    if (found === null) throw new Unreadable()
    if (found[4] === undefined) return `${name};VALUE=DATE:${text}`
    if (found[7] === 'Z') return `${name}:${text}`
    return `${name};TZID=${this.#zoneIn(params)}:${text}`
  }

  /**
   * As `#stamp`, but in UTC where clocks repeat that hour, of which the parser takes the second: the first is meant
   * (RFC 5545, 3.3.5), unless an entry that starts at `start` would end before then.
   */
  #exactStamp(property: Property, start?: Property): string {
    const stamp = this.#stamp(property)
    if (!stamp.includes(';TZID=')) return stamp
    const { name, params, value } = property
    const both = this.#repeated.instants(value.toUpperCase(), this.#zoneIn(params))
    if (both.length === 0) return stamp
    const from = start === undefined ? -Infinity : this.#instantOf(start)
    const at = both.find((one) => one > from) ?? from
    return `${name}:${toIso(at).replaceAll(/-|:|\.\d+/g, '')}`
  }

  /** The zone of times that are not in UTC. */
  #zoneIn(params: string): string {
    const tzid = /;TZID=("[^"]*"|[^;]*)/i.exec(params)?.[1] ?? ''
    return this.#zones.find(tzid) ?? this.#zone
  }

  #linesOf(event: RawEvent): string[] {
    const start = first(event, 'DTSTART')
    if (event.isCut || start === undefined) throw new Unreadable()
    const lines: string[] = []
    for (const name of ['DTSTART', 'DTEND', 'RECURRENCE-ID']) {
      const property = first(event, name)
      if (property === undefined) continue
      // A rule needs the local time.
      const isRule = first(event, 'RRULE') !== undefined
      const from = name === 'DTEND' ? start : undefined
      lines.push(isRule ? this.#stamp(property) : this.#exactStamp(property, from))
    }
    for (const name of ['DURATION', 'RRULE', 'SEQUENCE']) {
      const property = first(event, name)
      if (property === undefined) continue
      if (name === 'RRULE' && TOO_FREQUENT.test(property.value)) throw new Unreadable()
      // `DTEND` and `DURATION` must not occur together (RFC 5545); if they do, `DTEND` wins.
      if (name === 'DURATION' && first(event, 'DTEND') !== undefined) continue
      // The parser rejects lower case, which RFC 5545 allows.
      const value = property.value.toUpperCase()
      const isOfDays = name === 'RRULE' && /^\d{8}$/.test(start.value)
      lines.push(`${name}:${isOfDays ? withLastDay(value, this.#zone) : value}`)
    }
    for (const property of event.properties.filter(({ name }) => name === 'EXDATE')) {
      for (const value of property.value.split(',')) {
        if (STAMP.test(value.toUpperCase())) lines.push(this.#exactStamp({ ...property, value }))
      }
    }
    return lines
  }

  #parse(group: readonly RawEvent[]): VEvent {
    // The parser applies changes and `EXDATE` only to a series with a rule.
    const single = group.find((one) => !['RECURRENCE-ID', 'RRULE'].some((name) => first(one, name)))
    const isChanged =
      group.length > 1 || (single !== undefined && first(single, 'EXDATE') !== undefined)
    const lines = group.flatMap((event, at) => [
      'BEGIN:VEVENT',
      'UID:entry',
      // Passed through the parser to tell which entry of the group an occurrence belongs to.
      `X-ENTRY:${at}`,
      ...this.#linesOf(event),
      ...(event === single && isChanged ? ['RRULE:FREQ=DAILY;COUNT=1'] : []),
      'END:VEVENT',
    ])
    const file = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
    const event = ical.sync.parseICS(file)['entry']
    if (event?.type !== 'VEVENT') throw new Unreadable()
    return event
  }

  #instant(date: Date, isFullDay: boolean): Instant {
    if (!isFullDay) return date.getTime()
    // The parser returns dates at midnight in this process's zone: only the calendar date is used.
    return Temporal.PlainDate.from({
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
    }).toZonedDateTime({ timeZone: this.#zone }).epochMilliseconds
  }

  #spanOf({ start, end, isFullDay, event }: EventInstance, raw: RawEvent): Span {
    // The parser takes a changed occurrence for a full day or not as its series is.
    if (isFullDay !== (event.datetype === 'date')) return this.#wholeOf(event, raw)
    const span = { start: this.#instant(start, isFullDay), end: this.#instant(end, isFullDay) }
    return inDays(span, raw, { zone: this.#zoneOf(raw), isFullDay })
  }

  /** The zone whose days an entry counts. */
  #zoneOf(event: RawEvent): string {
    const { value = '', params = '' } = first(event, 'DTSTART') ?? {}
    if (/^\d{8}$/.test(value)) return this.#zone
    return /Z$/i.test(value) ? 'UTC' : this.#zoneIn(params)
  }

  /** The instants in an entry's properties of one name. */
  #instantsIn({ properties }: RawEvent, wanted: 'RDATE' | 'EXDATE' | 'RECURRENCE-ID'): Instant[] {
    return properties
      .filter(({ name }) => name === wanted)
      .flatMap((property) => property.value.split(',').map((value) => ({ ...property, value })))
      .slice(0, TIMES_MAX)
      .map((property) => this.#instantOf(property))
  }

  #instantOf(property: Property): Instant {
    // An `RDATE` period may have its own end, but that is rare: only its start is used.
    const value = property.value.split('/')[0] ?? ''
    const dtstart = { ...property, name: 'DTSTART', value }
    const event = this.#parse([{ properties: [dtstart], isCut: false }])
    return this.#instant(event.start, event.datetype === 'date')
  }

  #wholeOf({ start, end = start, datetype }: VEvent, raw: RawEvent): Span {
    const isFullDay = datetype === 'date'
    const span = { start: this.#instant(start, isFullDay), end: this.#instant(end, isFullDay) }
    return inDays(span, raw, { zone: this.#zoneOf(raw), isFullDay })
  }

  /** Changes of an occurrence and all later ones, earliest first. */
  #laterChanges(group: readonly RawEvent[], base: RawEvent): LaterChange[] {
    const zone = this.#zoneOf(base)
    const changes = group.filter(isForLater).flatMap((one) => {
      const event = this.#parse([one])
      const [isFullDay, to] = [event.datetype === 'date', this.#wholeOf(event, one)]
      return this.#instantsIn(one, 'RECURRENCE-ID').map((from) =>
        laterChangeOf({ isBusy: this.#counts(one), from, zone, to, isFullDay }),
      )
    })
    return changes.toSorted((a, b) => a.from - b.from)
  }

  /** Occurrences that `RDATE` adds, which the parser does not know; each is as long as the first one. */
  #added(base: RawEvent, group: readonly RawEvent[], event: VEvent): Span[] {
    const { start, end } = this.#wholeOf(event, base)
    const days = { zone: this.#zoneOf(base), isFullDay: event.datetype === 'date' }
    const changed = group.filter((one) => one !== base)
    const gone = new Set([
      ...changed.flatMap((one) => this.#instantsIn(one, 'RECURRENCE-ID')),
      ...this.#instantsIn(base, 'EXDATE'),
    ])
    const kept = this.#instantsIn(base, 'RDATE').filter((at) => !gone.has(at))
    const added = kept.map((at) => inDays({ start: at, end: at + (end - start) }, base, days))
    const later = this.#laterChanges(group, base)
    return added.flatMap((span) => this.#placed(span, base, later))
  }

  /** Busy time of an occurrence of an entry, which changes of later ones may move or free. */
  #placed(span: Span, raw: RawEvent, later: readonly LaterChange[]): Span[] {
    const change = later.findLast(({ from }) => from <= span.start)
    if (change !== undefined) return change.isBusy ? [changedSpan(span, change)] : []
    return this.#counts(raw) ? [span] : []
  }

  #counts(event: RawEvent): boolean {
    return isBusy(event) && !(this.#view.skipsAllDay && isAllDay(event))
  }

  /** Busy times of a `FREEBUSY` line. It cannot mark all-day entries, so `skipsAllDay` does not apply. */
  readFreeBusy(property: Property): Pick<BusyTimes, 'spans' | 'unreadable'> {
    const { count, ...found } = busyPeriodsOf(property, this.#zoneIn(property.params))
    this.#times += count
    if (this.#times > ALL_TIMES_MAX) throw new CalendarError('too_complex')
    return found
  }

  /** Busy times of the entries that share a UID. */
  read(group: readonly RawEvent[]): Span[] {
    const { from, until } = this.#view
    const event = this.#parse(group)
    const base = group.find((one) => first(one, 'RECURRENCE-ID') === undefined)
    const later = base === undefined ? [] : this.#laterChanges(group, base)
    const reach = DAY_MS + Math.max(0, ...later.map(({ reachMs }) => reachMs))
    const instances = ical.expandRecurringEvent(event, {
      from: toDate(from - reach),
      to: toDate(until + reach),
      expandOngoing: true,
    })
    this.#times += instances.length
    if (instances.length > TIMES_MAX) throw new Unreadable()
    if (this.#times > ALL_TIMES_MAX) throw new CalendarError('too_complex')
    const spans = instances.flatMap((instance) => {
      const raw = group[entryOf(instance.event)]
      if (raw === undefined) return []
      return this.#placed(this.#spanOf(instance, raw), raw, instance.isOverride ? [] : later)
    })
    if (base === undefined || first(base, 'RDATE') === undefined) return spans
    return [...spans, ...this.#added(base, group, event)]
  }
}

function entryOf(event: VEvent): number {
  // The parser drops the `X-` prefix of unknown property names.
  const carried: unknown = Reflect.get(event, 'ENTRY')
  return Number(carried)
}

/** Date as `20260310`, in UTC: callers allow a margin wider than any zone offset. */
function dayOf(instant: Instant): string {
  return toIso(instant).slice(0, 10).replaceAll('-', '')
}

/** Whether entries could fall within these days, judged by their dates alone. */
function mayOverlap(group: readonly RawEvent[], days: { from: string; until: string }): boolean {
  return group.some((event) => {
    const start = (first(event, 'DTSTART')?.value ?? '').slice(0, 8)
    const end = (first(event, 'DTEND')?.value ?? '').slice(0, 8)
    const isDated = /^\d{8}$/.test(start)
    // A change of later occurrences may put any of them there.
    if (!isDated || isForLater(event)) return true
    if (start > days.until) return false
    const rule = first(event, 'RRULE')?.value
    if (first(event, 'RDATE') !== undefined) return true
    if (rule !== undefined) {
      const last = /UNTIL=(\d{8})/i.exec(rule)?.[1]
      // The last occurrence may begin on its last day and go on for weeks.
      const isOneDay = end === start && first(event, 'DURATION') === undefined
      return last === undefined || last >= days.from || !isOneDay
    }
    const isOver = /^\d{8}$/.test(end) ? end < days.from : start < days.from
    return !isOver || first(event, 'DURATION') !== undefined
  })
}

function clipSpan({ start, end }: Span, { from, until }: CalendarView): Span[] {
  const cut = { start: Math.max(start, from), end: Math.min(end, until) }
  return cut.start < cut.end ? [cut] : []
}

/** Merges spans that overlap or touch. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/**
 * Busy times of a calendar file within the view. Entries that cannot be parsed are counted and skipped.
 * Throws `CalendarError` if the text is no calendar or exceeds the limits. Synchronous and not bounded in
 * time: run it in a worker that can be terminated.
 */
export function busyTimesIn(text: string, view: CalendarView): BusyTimes {
  const calendar = scanCalendar(text)
  if (calendar === null) throw new CalendarError('no_calendar')
  const days = { from: dayOf(view.from - 2 * DAY_MS), until: dayOf(view.until + 2 * DAY_MS) }
  const groups = groupsOf(calendar).filter((group) => mayOverlap(group, days))
  if (groups.length > EVENTS_MAX) throw new CalendarError('too_complex')
  const reader = new CalendarReader(calendar, view)
  const found: BusyTimes = { spans: [], own: [], unreadable: calendar.broken }
  for (const group of groups) {
    let spans: Span[]
    try {
      spans = reader.read(group)
    } catch (error) {
      if (error instanceof CalendarError) throw error
      found.unreadable += 1
      continue
    }
    const own = OWN_UID.exec(group[0] === undefined ? '' : (first(group[0], 'UID')?.value ?? ''))
    for (const span of spans.flatMap((one) => clipSpan(one, view))) {
      if (own?.[1] === undefined) found.spans.push(span)
      else found.own.push({ ...span, id: own[1] })
    }
  }
  // Entries take precedence over `FREEBUSY`: they show which are ours and which are marked as free.
  for (const property of calendar.events.length === 0 ? calendar.freeBusy : []) {
    const { spans, unreadable } = reader.readFreeBusy(property)
    found.unreadable += unreadable
    found.spans.push(...spans.flatMap((one) => clipSpan(one, view)))
  }
  found.spans = mergeSpans(found.spans)
  if (found.spans.length + found.own.length > SPANS_MAX) throw new CalendarError('too_complex')
  return found
}

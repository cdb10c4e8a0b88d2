import { DAY_MS, toIso } from '#contract/base/time.ts'
import { first, type RawCalendar, type RawEvent, scanCalendars } from './calendar-file.ts'
import { type CalendarView, type Doubt, EntryReader, type Found } from './entry-reader.ts'
import { type EventGroup, groupsOf } from './event-groups.ts'
import { busyPeriodsOf } from './free-busy.ts'
import { isForLater } from './later-changes.ts'
import { Places } from './places.ts'
import type { Instant, Span } from './times.ts'
import { CalendarZones, ianaZone, UTC } from './zones.ts'

export type BusyTimes = {
  /** Sorted by start; they neither overlap nor touch. */
  spans: Span[]
  /** Entries that this product exported, by visit id: whether one counts depends on whose visit it is. */
  own: (Span & { id: string })[]
  /** Number of entries that could not be read with certainty. */
  unreadable: number
  /** The first of them. */
  doubts: Doubt[]
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

/** Limits: relevant entries, and occurrences of all entries together. */
const EVENTS_MAX = 20_000
const ALL_TIMES_MAX = 60_000
/** Limit on busy spans after overlapping and touching ones are merged, and on exported visits. */
const SPANS_MAX = 5_000
/** Most doubts that are named; all are counted. */
const DOUBTS_MAX = 20

/** UID of a visit or desk visit in the calendars we export. */
const OWN_UID = /^((?:apt|dsk)_[0-9a-z]{26})@apposite$/

/** Date as `20260310`, in UTC: callers allow a margin wider than any zone offset. */
function dayOf(instant: Instant): string {
  return toIso(instant).slice(0, 10).replaceAll('-', '')
}

/** Whether entries could fall within these days, judged by their dates alone. */
function mayOverlap({ bases, changes }: EventGroup, days: { from: string; until: string }) {
  const isLong = (event: RawEvent) => ['DURATION', 'RDATE'].some((name) => first(event, name))
  return [...bases, ...changes].some((event) => {
    const start = (first(event, 'DTSTART')?.value ?? '').slice(0, 8)
    const end = (first(event, 'DTEND')?.value ?? '').slice(0, 8)
    // A change of later occurrences may put any of them there.
    if (!/^\d{8}$/.test(start) || isForLater(event)) return true
    if (start > days.until) return first(event, 'RDATE') !== undefined
    const rule = first(event, 'RRULE')?.value
    if (rule !== undefined) {
      const last = /UNTIL=(\d{8})/i.exec(rule)?.[1]
      // The last occurrence may begin on its last day and go on for weeks.
      return last === undefined || last >= days.from || end !== start || isLong(event)
    }
    const isOver = /^\d{8}$/.test(end) ? end < days.from : start < days.from
    return !isOver || isLong(event)
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

/** Collects what is found in the calendars of one file. */
class Collector {
  readonly spans: Span[] = []
  readonly own: BusyTimes['own'] = []
  readonly doubts: Doubt[] = []
  readonly #view: CalendarView
  #times = 0

  constructor(view: CalendarView) {
    this.#view = view
  }

  /** Throws `CalendarError` when there are too many occurrences. */
  add({ spans, doubts }: Found, uid = ''): void {
    this.#times += spans.length
    if (this.#times > ALL_TIMES_MAX) throw new CalendarError('too_complex')
    this.doubts.push(...doubts)
    const id = OWN_UID.exec(uid)?.[1]
    for (const span of spans.flatMap((one) => clipSpan(one, this.#view))) {
      if (id === undefined) this.spans.push(span)
      else this.own.push({ ...span, id })
    }
  }

  /** Counts what could not be read and has no time. */
  doubt(count: number, reason: Doubt['reason']): void {
    for (let no = 0; no < count; no += 1) this.doubts.push({ start: null, end: null, reason })
  }

  finish(): BusyTimes {
    const spans = mergeSpans(this.spans)
    if (spans.length + this.own.length > SPANS_MAX) throw new CalendarError('too_complex')
    const order = ({ start }: Doubt) => start ?? Infinity
    const doubts = this.doubts.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    return {
      spans,
      own: this.own,
      unreadable: doubts.length,
      doubts: doubts.slice(0, DOUBTS_MAX),
    }
  }
}

function readCalendarInto(found: Collector, calendar: RawCalendar, view: CalendarView): void {
  const zones = new CalendarZones(calendar.zones, view.until)
  const places = new Places(zones, calendar.zone, ianaZone(view.timeZone) ?? UTC)
  const days = { from: dayOf(view.from - 2 * DAY_MS), until: dayOf(view.until + 2 * DAY_MS) }
  const groups = groupsOf(calendar)
    .filter((group) => mayOverlap(group, days))
    .toArray()
  if (groups.length > EVENTS_MAX) throw new CalendarError('too_complex')
  const reader = new EntryReader(places, view)
  for (const group of groups) {
    const [one] = [...group.bases, ...group.changes]
    found.add(reader.read(group), one && first(one, 'UID')?.value)
  }
  found.doubt(calendar.broken, 'entry')
  if (calendar.events.length > 0) return
  // Entries take precedence over `FREEBUSY`: they show which are ours and which are marked as free.
  for (const property of calendar.freeBusy) {
    const { spans, unreadable } = busyPeriodsOf(property, places)
    found.add({ spans, doubts: [] })
    found.doubt(unreadable, 'date')
  }
}

/**
 * Busy times of a calendar file within the view. What cannot be read with certainty is counted, and named by its time.
 * Throws `CalendarError` if the text is no calendar or exceeds the limits. Synchronous and not bounded in
 * time: run it in a worker that can be terminated.
 */
export function busyTimesIn(text: string, view: CalendarView): BusyTimes {
  const calendars = scanCalendars(text)
  if (calendars.length === 0) throw new CalendarError('no_calendar')
  const found = new Collector(view)
  for (const calendar of calendars) readCalendarInto(found, calendar, view)
  return found.finish()
}

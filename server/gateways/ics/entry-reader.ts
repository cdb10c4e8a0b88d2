import type { OutsideDoubt } from '#contract/outside-calendars.ts'
import { first, type RawEvent } from './calendar-file.ts'
import { Entry, isBusy, type Named } from './entries.ts'
import type { EventGroup } from './event-groups.ts'
import { changedSpan, isForLater, type LaterChange, laterChangeOf } from './later-changes.ts'
import type { Places } from './places.ts'
import { namedSet, type Occurrence, occurrencesIn, type Problems } from './series.ts'
import { type Instant, parseStamp, type Span, UnreadableError } from './times.ts'
import { instantOf } from './zones.ts'

/** The time range and options to read a calendar with. */
export type CalendarView = {
  from: Instant
  until: Instant
  /** Zone of all-day entries and floating times (no `TZID`), unless the calendar sets a default zone. */
  timeZone: string
  skipsAllDay: boolean
}

/** A time that could not be read with certainty; null where not even that is known. */
export type Doubt = { start: Instant | null; end: Instant | null; reason: OutsideDoubt['reason'] }

/** Busy times, which may lie outside of the view, and what is not certain about them. */
export type Found = { spans: Span[]; doubts: Doubt[] }

/** Reads the entries of one calendar. */
export class EntryReader {
  readonly #places: Places
  readonly #view: CalendarView

  constructor(places: Places, view: CalendarView) {
    this.#places = places
    this.#view = view
  }

  /** Busy times of the entries of one UID. */
  read({ bases, changes }: EventGroup): Found {
    this.#places.forget()
    const doubts: Doubt[] = []
    const entries = (events: readonly RawEvent[]) =>
      events.flatMap((event) => this.#entryOf(event, doubts))
    const [later, single] = [changes.filter(isForLater), changes.filter((one) => !isForLater(one))]
    const singles = entries(single)
    const laters = entries(later)
    const series = entries(bases)
    const own = series.length === 0 ? [...singles, ...laters] : singles
    const spans = own.filter((one) => this.#counts(one)).map((one) => one.span)
    // A cancelled occurrence need not say when it would be; one that is moved to an unknown time stays, too.
    const moved = new Set(singles.map(({ raw }) => raw))
    const named = single.filter((one) => moved.has(one) || !isBusy(one))
    for (const entry of series) spans.push(...this.#readSeries(entry, { named, laters, doubts }))
    return { spans, doubts: [...doubts, ...this.#doubtsOfZones(spans)] }
  }

  #counts(entry: Entry): boolean {
    return entry.isBusy && !(this.#view.skipsAllDay && entry.isAllDay)
  }

  /** An entry, unless its times cannot be read. */
  #entryOf(event: RawEvent, doubts: Doubt[]): Entry[] {
    try {
      const entry = new Entry(event, this.#places)
      if (event.isCut && this.#counts(entry)) doubts.push({ ...entry.span, reason: 'entry' })
      return [entry]
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      if (isBusy(event)) doubts.push({ start: this.#startOf(event), end: null, reason: 'date' })
      return []
    }
  }

  /** When an entry begins whose end cannot be read. */
  #startOf(event: RawEvent): number | null {
    const property = first(event, 'DTSTART')
    if (property === undefined) return null
    try {
      const value = parseStamp(property.value)
      return value.kind === 'instant' ? value.at : instantOf(value.wall, this.#places.zoneOf(''))
    } catch {
      return null
    }
  }

  #namedBy(change: RawEvent, series: Entry): Named[] {
    const property = first(change, 'RECURRENCE-ID')
    if (property === undefined) return []
    try {
      return [series.occurrenceIn(property, this.#places)]
    } catch {
      // The change takes place; which occurrence it replaces is unknown, so that one stays.
      return []
    }
  }

  #laterChanges(laters: readonly Entry[], series: Entry): LaterChange[] {
    const found = laters.flatMap((change) =>
      this.#namedBy(change.raw, series).map((named) => {
        const from = 'at' in named ? named.at : series.startOn(named.day)
        return laterChangeOf(change, from, series)
      }),
    )
    return found.toSorted((a, b) => a.from - b.from)
  }

  #readSeries(
    entry: Entry,
    { named, laters, doubts }: { named: RawEvent[]; laters: Entry[]; doubts: Doubt[] },
  ): Span[] {
    const later = this.#laterChanges(laters, entry)
    const reach = Math.max(0, ...later.map(({ reachMs }) => reachMs))
    const range = { from: this.#view.from - reach, until: this.#view.until + reach }
    const problems: Problems = { rule: entry.raw.isCut, date: false }
    const isChanged = namedSet(
      named.flatMap((change) => this.#namedBy(change, entry)),
      entry,
    )
    let occurrences: Occurrence[]
    try {
      occurrences = occurrencesIn(entry, { places: this.#places, range, problems })
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      problems.rule = true
      occurrences = [{ at: entry.start, span: entry.span }]
    }
    const kept = occurrences.filter(({ at }) => !isChanged(at))
    const spans = kept.flatMap((one) => this.#placed(one, entry, later))
    if (this.#counts(entry) && !entry.raw.isCut) {
      const shown = spans.find((one) => this.#isInView(one)) ?? entry.span
      if (problems.rule) doubts.push({ ...shown, reason: 'rule' })
      else if (problems.date) doubts.push({ ...shown, reason: 'date' })
    }
    return spans
  }

  /** Busy time of an occurrence of a series, which changes of later ones may move or free. */
  #placed({ at, span }: Occurrence, entry: Entry, later: readonly LaterChange[]): Span[] {
    const change = later.findLast(({ from }) => from <= at)
    if (change === undefined) return this.#counts(entry) ? [span] : []
    return this.#counts(change.change) ? [changedSpan(at, change, entry)] : []
  }

  #isInView({ start, end }: Span): boolean {
    return end > this.#view.from && start < this.#view.until
  }

  /** Whether the zone of an entry is certain, shown with its first time in view. */
  #doubtsOfZones(spans: readonly Span[]): Doubt[] {
    const seen = spans.filter((one) => this.#isInView(one)).toSorted((a, b) => a.start - b.start)
    const [shown] = seen
    if (shown === undefined) return []
    if (this.#places.hasUnknown) return [{ ...shown, reason: 'zone' }]
    const other = seen.find(({ start }) => this.#places.isContradicted(start))
    return other === undefined ? [] : [{ ...other, reason: 'zone_differs' }]
  }
}

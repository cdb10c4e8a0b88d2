import { DATES_MAX, LINE_MAX, linesOf, type Property, propertyOf } from './calendar-lines.ts'

/** The properties of a `VEVENT` that determine busy time. Some are missing if it `isCut`. */
export type RawEvent = { properties: Property[]; isCut: boolean }

/** The first property of an event by a name. */
export function first({ properties }: RawEvent, name: string): Property | undefined {
  return properties.find((one) => one.name === name)
}

/** A part of a `VTIMEZONE`: `STANDARD` or `DAYLIGHT`. */
export type Observance = readonly Property[]

/** A `VCALENDAR`. Its zones and UIDs are its own; a stream may have several (RFC 5545, 3.4). */
export type RawCalendar = {
  /** `X-WR-TIMEZONE`: the calendar's default zone, for floating times. */
  zone: string | null
  /** The observances of each `VTIMEZONE`, by `TZID`. */
  zones: Map<string, Observance[]>
  events: RawEvent[]
  /** `FREEBUSY` lines, from calendars that publish busy time only. */
  freeBusy: Property[]
  /** Number of `FREEBUSY` lines that are too long, and one for a calendar that does not end. */
  broken: number
}

/** Limits: time zones in a calendar, and lines of one time zone. */
const ZONES_MAX = 200
const ZONE_LINES_MAX = 2_000

const KEPT_PROPERTIES: ReadonlySet<string> = new Set([
  'UID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'STATUS',
  'TRANSP',
  'SEQUENCE',
  'DTSTAMP',
  'X-MICROSOFT-CDO-BUSYSTATUS',
  'X-MICROSOFT-CDO-ALLDAYEVENT',
  'X-APPLE-TRAVEL-DURATION',
])
const LIST_PROPERTIES: ReadonlySet<string> = new Set(['RDATE', 'EXDATE', 'FREEBUSY'])
/** An entry may have several of these; of the others the first counts. */
const REPEATED_PROPERTIES: ReadonlySet<string> = new Set(['RRULE', 'EXRULE', 'RDATE', 'EXDATE'])

function newCalendar(): RawCalendar {
  return { zone: null, zones: new Map(), events: [], freeBusy: [], broken: 0 }
}

class CalendarScanner {
  readonly calendars: RawCalendar[] = []
  #event: RawEvent | null = null
  #isFreeBusy = false
  #zone: { id: string; observances: Property[][]; lines: number } | null = null
  /** Nested component to skip, such as an alarm. */
  #ignored: string | null = null
  #isOpen = false

  /** The current calendar; what precedes the first one belongs to none. */
  get #calendar(): RawCalendar | undefined {
    return this.calendars.at(-1)
  }

  take(line: string): void {
    const property = propertyOf(line)
    if (property === null) return
    const { name, value } = property
    if (name === 'BEGIN') this.#begin(value.toUpperCase())
    else if (name === 'END') this.#end(value.toUpperCase())
    else if (this.#event !== null) this.#keep(this.#event, property, line.length)
    else if (this.#isFreeBusy && name === 'FREEBUSY') this.#keepFreeBusy(property, line.length)
    else if (this.#zone !== null) this.#keepZone(property)
    else if (name === 'X-WR-TIMEZONE' && this.#calendar) this.#calendar.zone ??= value
  }

  /** An event ends: by its own end, or because another component begins before it. */
  #closeEvent(isCut: boolean): void {
    if (this.#event === null) return
    this.#event.isCut ||= isCut
    this.#calendar?.events.push(this.#event)
    this.#event = null
    this.#ignored = null
  }

  #begin(component: string): void {
    if (component === 'VCALENDAR') {
      this.#endCalendar()
      this.calendars.push(newCalendar())
      this.#isOpen = true
    } else if (component === 'VEVENT') {
      this.#closeEvent(true)
      this.#event = { properties: [], isCut: false }
      this.#zone = null
      this.#isFreeBusy = false
    } else if (this.#event !== null) this.#ignored ??= component
    else if (component === 'VFREEBUSY') this.#isFreeBusy = true
    else if (component === 'VTIMEZONE') this.#zone = { id: '', observances: [], lines: 0 }
    else this.#zone?.observances.push([])
  }

  #end(component: string): void {
    if (component === this.#ignored) this.#ignored = null
    else if (component === 'VEVENT') this.#closeEvent(false)
    else if (component === 'VFREEBUSY') this.#isFreeBusy = false
    else if (component === 'VTIMEZONE') this.#closeZone()
    else if (component === 'VCALENDAR') {
      this.#closeEvent(true)
      this.#isOpen = false
    }
  }

  #closeZone(): void {
    const zones = this.#calendar?.zones
    if (this.#zone === null || zones === undefined) return
    const { id, observances, lines } = this.#zone
    if (id !== '' && lines <= ZONE_LINES_MAX && zones.size < ZONES_MAX) zones.set(id, observances)
    this.#zone = null
  }

  #keep(event: RawEvent, property: Property, length: number): void {
    if (this.#ignored !== null || !KEPT_PROPERTIES.has(property.name)) return
    if (length > (LIST_PROPERTIES.has(property.name) ? DATES_MAX : LINE_MAX)) event.isCut = true
    else if (REPEATED_PROPERTIES.has(property.name) || first(event, property.name) === undefined)
      event.properties.push(property)
  }

  #keepFreeBusy(property: Property, length: number): void {
    if (this.#calendar === undefined) return
    if (length > DATES_MAX) this.#calendar.broken += 1
    else this.#calendar.freeBusy.push(property)
  }

  #keepZone(property: Property): void {
    if (this.#zone === null || (this.#zone.lines += 1) > ZONE_LINES_MAX) return
    const observance = this.#zone.observances.at(-1)
    if (observance !== undefined) observance.push(property)
    else if (property.name === 'TZID') this.#zone.id = property.value.replaceAll('"', '').trim()
  }

  /** A calendar that does not end was cut on its way: what is missing cannot be known. */
  #endCalendar(): void {
    if (this.#event !== null) this.#closeEvent(true)
    else if (this.#isOpen && this.#calendar !== undefined) this.#calendar.broken += 1
    this.#zone = null
    this.#isFreeBusy = false
    this.#ignored = null
    this.#isOpen = false
  }

  finish(): this {
    this.#endCalendar()
    return this
  }
}

/**
 * Extracts what determines busy time from a file of calendars: no titles, descriptions or people are kept. Empty
 * when the text is no calendar at all.
 */
export function scanCalendars(text: string): RawCalendar[] {
  const found = new CalendarScanner()
  for (const line of linesOf(text.replaceAll('\0', ''))) found.take(line)
  return found.finish().calendars
}

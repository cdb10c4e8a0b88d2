/** One property of a calendar: `params` begins with `;`, or is empty. */
export type Property = { name: string; params: string; value: string }

/** The properties of a `VEVENT` that determine busy time. */
export type RawEvent = { properties: Property[]; isCut: boolean }

export type RawCalendar = {
  /** `X-WR-TIMEZONE`: the calendar's default zone, for floating times. */
  zone: string | null
  /** `VTIMEZONE` components as raw lines, by `TZID`. */
  zones: Map<string, string[]>
  events: RawEvent[]
  /** `FREEBUSY` lines, from calendars that publish busy time only. */
  freeBusy: Property[]
  /** Number of entries whose `BEGIN` and `END` do not match. */
  broken: number
}

/** Maximum line length; `RDATE`, `EXDATE` and `FREEBUSY` lists may be longer. */
const LINE_MAX = 4_000
const DATES_MAX = 64_000
/** Limits: time zones in a calendar, and lines of one time zone. */
const ZONES_MAX = 200
const ZONE_LINES_MAX = 2_000

const KEPT_PROPERTIES: ReadonlySet<string> = new Set([
  'UID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'STATUS',
  'TRANSP',
  'SEQUENCE',
  'X-MICROSOFT-CDO-BUSYSTATUS',
  'X-MICROSOFT-CDO-ALLDAYEVENT',
])
const LIST_PROPERTIES: ReadonlySet<string> = new Set(['RDATE', 'EXDATE', 'FREEBUSY'])

/**
 * Unfolded lines (RFC 5545, 3.1), ended by LF or CRLF; overlong ones are cut above `DATES_MAX`, which shows
 * by their length.
 */
function* linesOf(text: string): Generator<string, void> {
  let whole = ''
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, '')
    at = end === -1 ? text.length : end + 1
    if (line.startsWith(' ') || line.startsWith('\t')) {
      // Stops appending past the limit, so that a line of megabytes is never assembled.
      if (whole.length <= DATES_MAX) whole += line.slice(1)
      continue
    }
    if (whole !== '') yield whole
    whole = line
  }
  if (whole !== '') yield whole
}

/** Parses a line; null if it is not a property. Colons within quotes belong to a parameter. */
function propertyOf(line: string): Property | null {
  let isQuoted = false
  let head = -1
  for (let at = 0; at < line.length && at <= LINE_MAX; at += 1) {
    const sign = line.charCodeAt(at)
    if (sign === 34) isQuoted = !isQuoted
    else if (sign === 58 && !isQuoted) {
      head = at
      break
    }
  }
  if (head === -1) return null
  const semicolon = line.indexOf(';')
  const nameEnd = semicolon !== -1 && semicolon < head ? semicolon : head
  return {
    name: line.slice(0, nameEnd).trim().toUpperCase(),
    params: line.slice(nameEnd, head),
    value: line.slice(head + 1).trim(),
  }
}

class CalendarScanner implements RawCalendar {
  zone: string | null = null
  readonly zones = new Map<string, string[]>()
  readonly events: RawEvent[] = []
  readonly freeBusy: Property[] = []
  broken = 0
  isCalendar = false
  #event: RawEvent | null = null
  #isFreeBusy = false
  #zone: { lines: string[]; id: string } | null = null
  /** Nested component to skip, such as an alarm. */
  #ignored: string | null = null

  take(line: string): void {
    const property = propertyOf(line)
    if (property === null) return
    const { name, value } = property
    if (name === 'BEGIN') this.#begin(value.toUpperCase(), line)
    else if (name === 'END') this.#end(value.toUpperCase(), line)
    else if (this.#event !== null) this.#keep(this.#event, property, line.length)
    else if (this.#isFreeBusy && name === 'FREEBUSY') this.#keepFreeBusy(property, line.length)
    else if (this.#zone !== null) this.#keepZone(property, line)
    else if (name === 'X-WR-TIMEZONE' && this.zone === null) this.zone = value
  }

  #begin(component: string, line: string): void {
    if (component === 'VCALENDAR') this.isCalendar = true
    else if (component === 'VEVENT') {
      if (this.#event !== null) this.broken += 1
      this.#event = { properties: [], isCut: false }
      this.#ignored = null
      this.#zone = null
      this.#isFreeBusy = false
    } else if (this.#event !== null) this.#ignored ??= component
    else if (component === 'VFREEBUSY') this.#isFreeBusy = true
    else if (component === 'VTIMEZONE') this.#zone = { lines: [line], id: '' }
    else this.#zone?.lines.push(line)
  }

  #end(component: string, line: string): void {
    if (component === this.#ignored) this.#ignored = null
    else if (component === 'VEVENT') {
      if (this.#event !== null) this.events.push(this.#event)
      this.#event = null
      this.#ignored = null
    } else if (component === 'VFREEBUSY') this.#isFreeBusy = false
    else if (this.#zone !== null) {
      this.#zone.lines.push(line)
      if (component !== 'VTIMEZONE') return
      const { id, lines } = this.#zone
      if (id !== '' && lines.length <= ZONE_LINES_MAX && this.zones.size < ZONES_MAX) {
        this.zones.set(id, lines)
      }
      this.#zone = null
    }
  }

  #keep(event: RawEvent, property: Property, length: number): void {
    if (this.#ignored !== null || !KEPT_PROPERTIES.has(property.name)) return
    if (length > (LIST_PROPERTIES.has(property.name) ? DATES_MAX : LINE_MAX)) event.isCut = true
    else event.properties.push(property)
  }

  #keepFreeBusy(property: Property, length: number): void {
    if (length > DATES_MAX) this.broken += 1
    else this.freeBusy.push(property)
  }

  #keepZone({ name, value }: Property, line: string): void {
    if (this.#zone === null) return
    if (this.#zone.lines.length <= ZONE_LINES_MAX) this.#zone.lines.push(line)
    if (name === 'TZID') this.#zone.id = value.replaceAll('"', '')
  }

  /** Counts an event that was never ended. */
  finish(): this {
    if (this.#event !== null) this.broken += 1
    return this
  }
}

/**
 * Extracts what determines busy time from a calendar file: no titles, descriptions or people are kept. Null
 * when the text is no calendar at all.
 */
export function scanCalendar(text: string): RawCalendar | null {
  const found = new CalendarScanner()
  for (const line of linesOf(text.replaceAll('\0', ''))) found.take(line)
  return found.isCalendar ? found.finish() : null
}

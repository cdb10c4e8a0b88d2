import ical from 'node-ical'

/** One property of a calendar: `params` begins with `;`, or is empty. */
export type Property = { name: string; params: string; value: string }

/** The properties of a `VEVENT` that determine busy time. */
export type RawEvent = { properties: Property[]; isCut: boolean }

/** The first property of an event by a name. */
export function first({ properties }: RawEvent, name: string): Property | undefined {
  return properties.find((one) => one.name === name)
}

/** Epoch milliseconds. */
export type Span = { start: number; end: number }

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
      // Stops appending past the limit, so that an overlong line is never assembled.
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

/** The canonical name of an IANA zone, or null. */
function ianaOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** `GMT+0100`, `(UTC-05:00) …` as the zone with that fixed offset; whole hours only. */
function offsetOf(name: string): string | null {
  const [, sign, hours, minutes = '00'] =
    /^\(?(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?\)?$/i.exec(name) ?? []
  if (sign === undefined || minutes !== '00') return null
  const ahead = Number(hours)
  // `Etc/GMT` names use POSIX signs: the sign is inverted.
  return ahead === 0 ? 'UTC' : ianaOf(`Etc/GMT${sign === '+' ? '-' : '+'}${ahead}`)
}

/** Zone the parser resolves a name to: it knows Windows names and reads the rules of a `VTIMEZONE`. */
function parseZone(name: string, described: readonly string[]): string | null {
  const quoted = name.replaceAll(/["\r\n]/g, '')
  const lines = [
    'BEGIN:VCALENDAR',
    ...described,
    'BEGIN:VEVENT',
    'UID:zone',
    `DTSTART;TZID="${quoted}":20260701T120000`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  try {
    const event = ical.sync.parseICS(lines.join('\r\n'))['zone']
    if (event?.type !== 'VEVENT') return null
    return event.start.tz === undefined ? null : ianaOf(event.start.tz)
  } catch {
    return null
  }
}

/** For these names the parser would fall back to this machine's zone. */
const UNRELIABLE_NAMES =
  /^(?:Customized Time Zone|\(no TZ description\)|tzone:\/\/Microsoft\/(?!Utc$))/i

/** The parser reads a `VTIMEZONE` only under this name. */
const CUSTOM = 'Customized Time Zone'

/** Resolves the zone names of one calendar file. */
export class CalendarZones {
  readonly #described: ReadonlyMap<string, readonly string[]>
  readonly #known = new Map<string, string | null>()

  /** `described`: the file's `VTIMEZONE` components. */
  constructor(described: ReadonlyMap<string, readonly string[]>) {
    this.#described = described
  }

  /** The IANA zone of a `TZID`; null if it cannot be resolved. */
  find(tzid: string): string | null {
    const name = tzid.replaceAll('"', '').trim()
    let zone = this.#known.get(name)
    if (zone === undefined) this.#known.set(name, (zone = this.#resolve(name)))
    return zone
  }

  #resolve(name: string): string | null {
    if (name === '' || name.length > 200) return null
    // Some programs prefix a path of their own: `/mozilla.org/20050126_1/Europe/London`.
    const path = name.split('/')
    const tails = [path, path.slice(-3), path.slice(-2)].map((parts) => parts.join('/'))
    const iana = tails.map(ianaOf).find((one) => one !== null) ?? offsetOf(name)
    if (iana !== null) return iana
    const named = UNRELIABLE_NAMES.test(name) ? null : parseZone(name, [])
    if (named !== null) return named
    const described = this.#described.get(name)
    return described === undefined ? null : parseZone(CUSTOM, described.map(withCustomId))
  }
}

function withCustomId(line: string): string {
  return /^TZID[;:]/i.test(line) ? `TZID:${CUSTOM}` : line
}

/** Busy times of a `FREEBUSY` line, with the number of its periods and of those that could not be parsed. */
export type BusyPeriods = { spans: Span[]; count: number; unreadable: number }

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(Z?)$/

/** `20260310T090000Z` as `2026-03-10T09:00:00Z`. */
function toIsoText(text: string): string {
  return text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6')
}

/**
 * Parses a time: UTC as RFC 5545 requires, otherwise in `zone`, where the first of two equal ones is meant unless
 * `after` is later. Throws `RangeError` if invalid.
 */
function timeOf(
  text: string,
  zone: string,
  after?: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime {
  const [, wall, utc] = TIME.exec(toIsoText(text)) ?? []
  if (wall === undefined) throw new RangeError('Not a time')
  const local = Temporal.PlainDateTime.from(wall)
  if (utc === 'Z') return local.toZonedDateTime('UTC')
  const earlier = local.toZonedDateTime(zone)
  const isOver = after !== undefined && Temporal.ZonedDateTime.compare(earlier, after) <= 0
  return isOver ? local.toZonedDateTime(zone, { disambiguation: 'later' }) : earlier
}

/** Parses a period given by end or by duration. Throws `RangeError` if invalid. */
function periodOf(text: string, zone: string): Span {
  const [from = '', to = ''] = text.split('/')
  const start = timeOf(from, zone)
  const end = /^[+-]?P/.test(to) ? start.add(to) : timeOf(to, zone, start)
  const span = { start: start.epochMilliseconds, end: end.epochMilliseconds }
  if (span.start >= span.end) throw new RangeError('Not a period')
  return span
}

/**
 * Busy periods of a `FREEBUSY` line (RFC 5545, 3.8.2.6): everything but `FBTYPE=FREE`, including unknown
 * types. `zone` applies to times that are not in UTC.
 */
export function busyPeriodsOf({ params, value }: Property, zone: string): BusyPeriods {
  const type = /;FBTYPE="?([^;"]*)/i.exec(params)?.[1]?.trim().toUpperCase()
  if (type === 'FREE') return { spans: [], count: 0, unreadable: 0 }
  const periods = value.toUpperCase().split(',')
  const spans = periods.flatMap((text) => {
    try {
      return periodOf(text.trim(), zone)
    } catch (error) {
      if (error instanceof RangeError) return []
      throw error
    }
  })
  return { spans, count: periods.length, unreadable: periods.length - spans.length }
}

import ical from 'node-ical'

/** An event as a strict reader of RFC 5545 finds it. */
type ReadEvent = {
  uid: string
  summary: string
  location: string
  description: string
  status: string
  sequence: number
  stamp: string
  /** The instant, resolved with the calendar's own time zone definition. */
  start: string
  end: string
}

type Line = { name: string; params: Map<string, string>; value: string }
type Component = { name: string; lines: Line[]; parts: Component[] }

function fail(why: string): never {
  throw new Error(`Not a calendar of RFC 5545: ${why}`)
}

/** Logical lines. Octets, line ends and folds are checked before unfolding. */
function parseLines(text: string): Line[] {
  if (!text.endsWith('\r\n')) fail('the last line does not end')
  if (/[^\r]\n|\r[^\n]/.test(text)) fail('a bare line break')
  for (const line of text.split('\r\n')) {
    if (Buffer.byteLength(line) > 75) fail(`a line of more than 75 octets: ${line}`)
  }
  const whole = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
  return whole.map((line) => {
    const [, head = '', value = ''] = /^([^:"]+):(.*)$/s.exec(line) ?? fail(`no property: ${line}`)
    const [name = '', ...params] = head.split(';')
    if (!/^[A-Z][A-Z0-9-]*$/.test(name)) fail(`a name: ${name}`)
    // oxlint-disable-next-line no-control-regex -- these are what is not allowed
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) fail(`a control character: ${name}`)
    const pairs = params.map((param): [string, string] => {
      const [key = '', given] = param.split('=')
      return [key, given ?? fail(`a parameter without a value: ${line}`)]
    })
    return { name, params: new Map(pairs), value }
  })
}

function parseComponents(lines: readonly Line[]): Component {
  const root: Component = { name: '', lines: [], parts: [] }
  const open = [root]
  for (const line of lines) {
    const current = open.at(-1) ?? fail('too many ends')
    if (line.name === 'BEGIN') {
      const part = { name: line.value, lines: [], parts: [] }
      current.parts.push(part)
      open.push(part)
    } else if (line.name === 'END') {
      if (current.name !== line.value) fail(`END:${line.value} of ${current.name}`)
      open.pop()
    } else {
      current.lines.push(line)
    }
  }
  if (open.length !== 1) fail('a part that does not end')
  return root
}

function singleLine(part: Component, name: string): Line {
  const found = part.lines.filter((line) => line.name === name)
  if (found.length !== 1) fail(`${found.length} ${name} in ${part.name}`)
  return found[0] ?? fail(name)
}

/** The value of a text property, unescaped (3.3.11). */
function textOf(part: Component, name: string): string {
  const { value } = singleLine(part, name)
  if (/(^|[^\\])(\\\\)*[;,]/.test(value)) fail(`${name} is not escaped`)
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
}

/** `20260303T143000` as milliseconds, as if it were UTC. */
function parseWallTime(value: string): number {
  const [, y, m, d, h, min, s] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(value) ?? fail(`a time: ${value}`)
  return Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`)
}

function offsetOf(value: string): number {
  const [, sign, h, m] = /^([+-])(\d\d)(\d\d)$/.exec(value) ?? fail(`an offset: ${value}`)
  return (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m)) * 60_000
}

/** The instant of a zoned property, from the observances of its VTIMEZONE alone. */
function instantOf(event: Component, name: string, zones: readonly Component[]): string {
  const { params, value } = singleLine(event, name)
  const zone = zones.find((each) => singleLine(each, 'TZID').value === params.get('TZID'))
  const wall = parseWallTime(value)
  const observances = zone?.parts.map((part) => {
    return {
      from: parseWallTime(singleLine(part, 'DTSTART').value),
      offset: offsetOf(singleLine(part, 'TZOFFSETTO').value),
    }
  })
  const inForce = observances
    ?.filter(({ from }) => from <= wall)
    .toSorted((a, b) => b.from - a.from)[0]
  if (inForce === undefined) fail(`no zone for ${value}`)
  return new Date(wall - inForce.offset).toISOString().replace('.000Z', 'Z')
}

/** Parses a calendar strictly by RFC 5545, sharing no code with what wrote it; throws on any violation. */
export function parseStrictCalendar(text: string): { events: ReadEvent[] } {
  const { parts, lines } = parseComponents(parseLines(text))
  const [calendar, ...more] = parts
  if (calendar?.name !== 'VCALENDAR' || more.length > 0 || lines.length > 0) fail('no VCALENDAR')
  if (singleLine(calendar, 'VERSION').value !== '2.0') fail('another version')
  singleLine(calendar, 'PRODID')
  const zones = calendar.parts.filter(({ name }) => name === 'VTIMEZONE')
  const events = calendar.parts.filter(({ name }) => name === 'VEVENT')
  if (zones.length + events.length !== calendar.parts.length) fail('an unknown part')
  const uids = new Set(events.map((event) => singleLine(event, 'UID').value))
  if (uids.size !== events.length) fail('two events with one UID')
  return {
    events: events.map((event) => {
      const stamp = singleLine(event, 'DTSTAMP').value
      if (!stamp.endsWith('Z')) fail('DTSTAMP is not in UTC')
      parseWallTime(stamp)
      return {
        uid: singleLine(event, 'UID').value,
        summary: textOf(event, 'SUMMARY'),
        location: textOf(event, 'LOCATION'),
        description: textOf(event, 'DESCRIPTION'),
        status: singleLine(event, 'STATUS').value,
        sequence: Number(singleLine(event, 'SEQUENCE').value),
        stamp,
        start: instantOf(event, 'DTSTART', zones),
        end: instantOf(event, 'DTEND', zones),
      }
    }),
  }
}

/** An event as a calendar program's parser finds it. */
export type ParsedEvent = Pick<
  ReadEvent,
  'uid' | 'summary' | 'location' | 'description' | 'status' | 'sequence' | 'start' | 'end'
> & { method: string; timeZone: string; organizer: string | null; attendee: string | null }

function parsedText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'val' in value) return parsedText(value.val)
  throw new Error('The parser found no text.')
}

const textOrNull = (value: unknown): string | null =>
  value === undefined ? null : parsedText(value)

const isoInstant = (date: Date): string => date.toISOString().replace('.000Z', 'Z')

/**
 * Reads a calendar with `node-ical`, which shares no code with what wrote it and resolves zones by name, as
 * most calendars do. `parseStrictCalendar` is strict and resolves zones from the file alone.
 */
export function parseCalendar(text: string): ParsedEvent[] {
  const parts = Object.values(ical.sync.parseICS(text))
  return parts.flatMap((part) => {
    if (part?.type !== 'VEVENT') return []
    return {
      uid: part.uid,
      method: parsedText(part.method),
      sequence: Number(part.sequence),
      status: parsedText(part.status),
      start: isoInstant(part.start),
      end: part.end === undefined ? '' : isoInstant(part.end),
      timeZone: part.start.tz ?? '',
      summary: parsedText(part.summary),
      location: parsedText(part.location),
      description: parsedText(part.description),
      organizer: textOrNull(part.organizer),
      attendee: textOrNull(part.attendee),
    }
  })
}

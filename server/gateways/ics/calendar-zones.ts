import ical from 'node-ical'

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

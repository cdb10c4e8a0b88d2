import { findIana } from 'windows-iana'
import { DAY_MS } from '#contract/base/time.ts'
import type { Observance } from './calendar-file.ts'
import { describedZone } from './described-zone.ts'
import { type Instant, parseOffset, type Wall, type Zone } from './times.ts'

export const UTC: Zone = { offsetAt: () => 0 }

/** Offsets change at such times at the earliest. */
const QUARTER_MS = 900_000

/** What clocks of a zone show at an instant. */
export function wallOf(instant: Instant, zone: Zone): Wall {
  return instant + zone.offsetAt(instant)
}

/**
 * The instants at which clocks show a time: two where they go back, the earlier one first. Where they skip it, it
 * counts from the offset before (RFC 5545, 3.3.5).
 */
export function instantsOf(wall: Wall, zone: Zone): [Instant, ...Instant[]] {
  const before = wall - zone.offsetAt(wall - DAY_MS)
  const after = wall - zone.offsetAt(wall + DAY_MS)
  const [one, ...more] = [...new Set([before, after])]
    .filter((instant) => wallOf(instant, zone) === wall)
    .toSorted((a, b) => a - b)
  return one === undefined ? [before] : [one, ...more]
}

/** The instant at which clocks first show a time. */
export function instantOf(wall: Wall, zone: Zone): Instant {
  return instantsOf(wall, zone)[0]
}

/** A zone by its IANA name, as the runtime knows it; null if it does not. */
export function ianaZone(name: string): Zone | null {
  let timeZone: string
  try {
    timeZone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
  const offsets = new Map<number, number>()
  return {
    offsetAt(instant) {
      const quarter = Math.floor(instant / QUARTER_MS)
      let offset = offsets.get(quarter)
      if (offset === undefined) {
        const at = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS)
        offset = at.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6
        offsets.set(quarter, offset)
      }
      return offset
    },
  }
}

/**
 * Abbreviations name no zone: the runtime reads `BST` as that of Dhaka, and `EST` and `GMT` without summer time.
 * These are exact, or the names of places.
 */
const EXACT_ABBREVIATIONS =
  /^(?:UTC|UCT|HST|CET|EET|MET|WET|GB|NZ|PRC|ROC|ROK|CUBA|EGYPT|EIRE|IRAN|JAPAN|LIBYA|ZULU)$/i
const ABBREVIATION = /^(?:[A-Z]{1,5}|GMT0|GREENWICH)$/i

/** `GMT+0100`, `(UTC-05:00)`, `+05:30`: a fixed offset. */
function offsetZone(name: string): Zone | null {
  const [, sign, hours = '', minutes = '00'] =
    /^\(?(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?\)?$/i.exec(name) ?? []
  if (sign === undefined) return null
  const offset = parseOffset(`${sign}${hours.padStart(2, '0')}${minutes}`)
  return offset === null ? null : { offsetAt: () => offset }
}

/** A zone by a name that programs use: of IANA, also at the end of a path, of Windows, or an offset. */
function namedZone(name: string): Zone | null {
  if (name.length > 200) return null
  if (ABBREVIATION.test(name) && !EXACT_ABBREVIATIONS.test(name)) return null
  // Some programs prefix a path of their own: `/mozilla.org/20050126_1/Europe/London`.
  const path = name.split('/')
  const tails = [path, path.slice(-3), path.slice(-2)].map((parts) => parts.join('/'))
  for (const tail of tails) {
    const zone = ianaZone(tail)
    if (zone !== null) return zone
  }
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return UTC
  const [windows] = findIana(name)
  return offsetZone(name) ?? (windows === undefined ? null : ianaZone(windows))
}

/** A zone that a name stands for. */
export type FoundZone = {
  zone: Zone
  /** What the name means elsewhere, where the file describes it. */
  known: Zone | null
}

/** Resolves the zone names of one calendar: by its own descriptions first (RFC 5545, 3.2.19). */
export class CalendarZones {
  readonly #described: ReadonlyMap<string, readonly Observance[]>
  readonly #known = new Map<string, FoundZone | null>()
  readonly #until: Instant

  /** `described`: the calendar's `VTIMEZONE` components, to be known until an instant. */
  constructor(described: ReadonlyMap<string, readonly Observance[]>, until: Instant) {
    this.#described = described
    this.#until = until
  }

  /** The zone of a `TZID`; null if nobody defines it. */
  find(name: string): FoundZone | null {
    let found = this.#known.get(name)
    if (found === undefined) this.#known.set(name, (found = this.#resolve(name)))
    return found
  }

  #resolve(name: string): FoundZone | null {
    const known = namedZone(name)
    const observances = this.#described.get(name)
    const described = observances === undefined ? null : describedZone(observances, this.#until)
    const zone = described ?? known
    return zone === null ? null : { zone, known: described === null ? null : known }
  }
}

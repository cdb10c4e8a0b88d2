import { type Property, paramOf } from './calendar-lines.ts'
import { type Instant, parseStamp, type Value, type Zone } from './times.ts'
import type { CalendarZones } from './zones.ts'

/**
 * Where the times of one calendar are: in the zones it names, or else in its own. Remembers which times were read
 * in a zone that is not certain.
 */
export class Places {
  readonly #zones: CalendarZones
  /** Zone of whole days and of times without a zone. */
  readonly #default: Zone
  readonly #isDefaultUnknown: boolean
  readonly #own: Zone
  /** Whether a zone was used that nobody defines, since this was last set to false. */
  hasUnknown = false
  /** Zones used since this was last emptied that mean something else by their names. */
  readonly contradicted: { zone: Zone; known: Zone }[] = []

  /** `named`: the calendar's own zone; times without one, or in one that nobody defines, are in `own`. */
  constructor(zones: CalendarZones, named: string | null, own: Zone) {
    const found = named === null || named === '' ? null : zones.find(named)
    this.#zones = zones
    this.#default = found?.zone ?? own
    this.#isDefaultUnknown = named !== null && named !== '' && found === null
    this.#own = own
  }

  /** The zone of a name; that of the calendar without one. */
  zoneOf(name: string | undefined): Zone {
    if (name === undefined || name === '') {
      this.hasUnknown ||= this.#isDefaultUnknown
      return this.#default
    }
    const found = this.#zones.find(name)
    if (found === null) {
      this.hasUnknown = true
      return this.#own
    }
    if (found.known !== null) this.contradicted.push({ zone: found.zone, known: found.known })
    return found.zone
  }

  /** A value and the zone it is in: `near`, that of the entry, if it names none. Throws `UnreadableError`. */
  read(property: Property, near: Zone): { value: Value; zone: Zone } {
    const value = parseStamp(property.value)
    const name = paramOf(property, 'TZID')
    const isOwn = value.kind !== 'local' || name === undefined || name === ''
    return { value, zone: isOwn ? near : this.zoneOf(name) }
  }

  /** Begins with another entry. */
  forget(): void {
    this.hasUnknown = false
    this.contradicted.length = 0
  }

  /** Whether a zone that was used shows other times at an instant than its name means elsewhere. */
  isContradicted(at: Instant): boolean {
    return this.contradicted.some(({ zone, known }) => zone.offsetAt(at) !== known.offsetAt(at))
  }
}

import type { Generated } from 'kysely'
import type { Instant, MinorUnits } from '#db/columns.ts'

/**
 * A kind of visit that a provider offers, with its length and fees. Everybody has one that is not
 * archived; the first of those is what the search shows, which reads a copy in `providers`.
 */
export interface VisitTypeRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Order among those of the provider, ascending; not without gaps. */
  position: number
  name: string
  minutes: number
  /** Of a new patient. */
  first_minor: MinorUnits
  /** Of a follow-up. */
  follow_minor: MinorUnits
  /** Which of the ways in which the provider sees patients; `both` is whichever they offer. */
  mode: 'in_person' | 'video' | 'both'
  /** The only place where it is offered; null is every place. */
  place_no: number | null
  /** Nobody can book it any more since then. */
  archived_at: Instant | null
}

export interface VisitTypesTables {
  visit_types: VisitTypeRow
}

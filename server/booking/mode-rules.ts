import type { VisitMode } from '#contract/search.ts'
import { statesText } from '#contract/us-states.ts'
import { JOIN_AFTER_MS, JOIN_BEFORE_MS } from '#contract/visits-video.ts'
import type { Instant } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import type { ProviderRow, VisitTypeRow } from '#db/tables/profiles.ts'
import { AppError } from '#server/kernel/errors.ts'

type OfferedBy = Pick<ProviderRow, 'offers_in_person' | 'offers_video'> & {
  /** Mode of the type of visit; both where undefined or null. */
  type_mode?: VisitTypeRow['mode'] | null
}

function isOffered(provider: OfferedBy, mode: VisitMode): boolean {
  const ofType = provider.type_mode ?? 'both'
  if (ofType !== 'both' && ofType !== mode) return false
  return (mode === 'video' ? provider.offers_video : provider.offers_in_person) === 1
}

/** The modes a provider offers now for visits of a type. */
export function offeredModes(provider: OfferedBy): VisitMode[] {
  return (['in_person', 'video'] as const).filter((mode) => isOffered(provider, mode))
}

/** Throws `mode_not_offered` for a mode the provider does not offer for such a visit. */
export function assertOffered(provider: OfferedBy, mode: VisitMode): void {
  if (!isOffered(provider, mode)) throw new AppError('mode_not_offered', { mode })
}

/**
 * Mode of a new hold: the wanted one, else in person where that is offered. Throws `mode_not_offered` where
 * the wanted one is not.
 */
export function modeOfHold(provider: OfferedBy, wanted: VisitMode | undefined): VisitMode {
  if (wanted !== undefined) {
    assertOffered(provider, wanted)
    return wanted
  }
  return isOffered(provider, 'in_person') ? 'in_person' : 'video'
}

/** Throws `state_not_licensed` for a state in which a provider may not practise. */
export function assertLicensed(licensed: readonly string[], state: string): void {
  if (licensed.includes(state)) return
  throw new AppError('state_not_licensed', { states: statesText(licensed) })
}

/** Whether booking requires the state the patient will be in. */
export function needsPatientState({ region, mode }: Pick<BookingRow, 'region' | 'mode'>): boolean {
  return region === 'usa' && mode === 'video'
}

/** When a video visit can be joined; the end is exclusive. */
export function joinWindow(visit: Pick<BookingRow, 'start_at' | 'end_at'>): {
  opensAt: Instant
  closesAt: Instant
} {
  return { opensAt: visit.start_at - JOIN_BEFORE_MS, closesAt: visit.end_at + JOIN_AFTER_MS }
}

import type { Db } from '#db/engine.ts'
import type { VisitNeeds } from '#server/availability/rules.ts'
import * as store from '#server/availability/store.ts'

export type TypeRow = store.TypeRow

/** Types of a provider's visits in their order; with `hasArchived` also archived ones. */
export function listTypes(db: Db, providerNo: number, hasArchived = false): Promise<TypeRow[]> {
  return store.listTypes(db, providerNo, hasArchived)
}

/** What a visit of a type requires of the calendar; a null buffer means none. */
export function needsOf(
  type: Pick<TypeRow, 'minutes' | 'place_no'>,
  bufferMinutes: number | null,
): VisitNeeds {
  return { minutes: type.minutes, bufferMinutes: bufferMinutes ?? 0, placeNo: type.place_no }
}

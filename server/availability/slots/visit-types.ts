import type { Db } from '#db/engine.ts'
import type { VisitNeeds } from '#server/availability/rules.ts'
import * as store from '#server/availability/store.ts'

export type TypeRow = store.TypeRow

/** Types of a provider's visits in their order; archived ones among them on asking. */
export function listTypes(db: Db, providerNo: number, hasArchived = false): Promise<TypeRow[]> {
  return store.listTypes(db, providerNo, hasArchived)
}

/** What a visit of a type takes of the calendar of a provider with such a buffer; null is none. */
export function needsOf(
  type: Pick<TypeRow, 'minutes' | 'place_no'>,
  bufferMinutes: number | null,
): VisitNeeds {
  return { minutes: type.minutes, bufferMinutes: bufferMinutes ?? 0, placeNo: type.place_no }
}

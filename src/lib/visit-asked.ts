import type { VisitFacts } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'

/** What an address carries of a visit beside its time: the type, and how it takes place. */
export type VisitAsked = { type?: string | undefined; mode?: VisitMode | undefined }

/** The same of a time that is kept: of a provider with one type only that it is by video. */
export function askedOf({
  typeId,
  typeName,
  mode,
}: Pick<VisitFacts, 'typeId' | 'typeName' | 'mode'>): VisitAsked {
  if (typeName !== null) return { type: typeId ?? undefined, mode }
  return mode === 'video' ? { mode } : {}
}

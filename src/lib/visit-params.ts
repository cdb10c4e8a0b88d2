import type { VisitFacts } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'

/** URL parameters of a visit besides its time: the type and the mode. */
export type VisitParams = { type?: string | undefined; mode?: VisitMode | undefined }

/** The same for a held visit; if the provider has only one type, only the video mode is included. */
export function visitParamsOf({
  typeId,
  typeName,
  mode,
}: Pick<VisitFacts, 'typeId' | 'typeName' | 'mode'>): VisitParams {
  if (typeName !== null) return { type: typeId ?? undefined, mode }
  return mode === 'video' ? { mode } : {}
}

import * as z from 'zod/mini'
import { IsoInstant } from './time.ts'

/** Most times a provider may propose at once, and most proposals for one visit. */
export const MAX_PROPOSED_TIMES = 3
export const MAX_PROPOSALS = 3

/** Other times that a provider has proposed to the patient of an upcoming visit. */
export const ProposedTimes = z.object({
  /** When they were proposed; identifies this proposal among earlier and later ones. */
  at: IsoInstant,
  note: z.nullable(z.string()),
  /** Those still free, earliest first; never empty. */
  times: z.array(z.object({ startsAt: IsoInstant, timeZone: z.string(), place: z.string() })),
})
export type ProposedTimes = z.infer<typeof ProposedTimes>

import * as z from 'zod/mini'
import { IsoInstant } from './time.ts'

/** Times a provider proposes at once, and how often for one visit. */
export const MOST_PROPOSED = 3
export const MOST_PROPOSALS = 3

/** What a provider asks the patient of a coming visit: whether another time suits them as well. */
export const ProposedTimes = z.object({
  /** When it was asked: names this question among those before and after it. */
  at: IsoInstant,
  note: z.nullable(z.string()),
  /** Those that are free at this moment, earliest first; never none. */
  times: z.array(z.object({ startsAt: IsoInstant, timeZone: z.string(), place: z.string() })),
})
export type ProposedTimes = z.infer<typeof ProposedTimes>

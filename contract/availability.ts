import * as z from 'zod/mini'
import { ProviderId } from './ids.ts'
import { IsoDate, IsoInstant } from './time.ts'

/** Most days one call returns: six weeks fill any month grid. */
const MAX_DAYS = 42

export const FreeTimesInput = z.strictObject({
  providerId: ProviderId,
  /** First day wanted, in the clinic's zone; today when left out. */
  from: z.optional(z.iso.date({ error: 'date_invalid' })),
  days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), 14),
})
export type FreeTimesInput = z.infer<typeof FreeTimesInput>

/** Free times by day in the clinic's zone. Days without any are left out. */
export const FreeTimes = z.object({
  timeZone: z.string(),
  consultationMinutes: z.int(),
  from: IsoDate,
  to: IsoDate,
  days: z.array(z.object({ date: IsoDate, slots: z.array(z.object({ startsAt: IsoInstant })) })),
  /** Earliest free time at all, also outside the days asked for. */
  nextFree: z.nullable(IsoInstant),
  /** First day after `to` that has a free time, for "jump to". */
  nextDay: z.nullable(IsoDate),
})
export type FreeTimes = z.infer<typeof FreeTimes>

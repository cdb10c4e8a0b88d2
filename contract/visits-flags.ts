import * as z from 'zod/mini'
import { ProviderId, UserId } from './base/ids.ts'
import { Region } from './base/region.ts'
import { DAY_MS, IsoInstant } from './base/time.ts'

/** Patients with this many free cancellations in this period are shown to staff. It blocks nothing. */
export const FLAGGED_PATIENT = { freeCancellations: 4, days: 30, withinMs: 30 * DAY_MS } as const

/**
 * The same for providers who cancel this share of the visits that started or were cancelled. Shares of few visits mean
 * little: below `fullVisits` it takes `leastOfFew` cancellations, from there on `least`. A single cancellation is never
 * shown.
 */
export const FLAGGED_PROVIDER = {
  percent: 5,
  days: 90,
  withinMs: 90 * DAY_MS,
  fullVisits: 20,
  least: 2,
  leastOfFew: 3,
} as const

/** Accounts of either kind that are listed at once. */
export const MAX_FLAGGED = 100

/** A patient who often cancels while it is free. */
export const FlaggedPatient = z.object({
  id: UserId,
  name: z.string(),
  email: z.string(),
  freeCancellations: z.int(),
  lastAt: IsoInstant,
})
export type FlaggedPatient = z.infer<typeof FlaggedPatient>

/** A provider who cancels a large share of their visits. */
export const FlaggedProvider = z.object({
  id: ProviderId,
  name: z.string(),
  email: z.string(),
  region: Region,
  /** Visits they cancelled, of all that started or that anybody cancelled. */
  cancelled: z.int(),
  visits: z.int(),
  /** That share in percent, with one decimal. */
  percent: z.number(),
  lastAt: IsoInstant,
})
export type FlaggedProvider = z.infer<typeof FlaggedProvider>

/** Most cancellations first. */
export const Flagged = z.object({
  patients: z.array(FlaggedPatient),
  providers: z.array(FlaggedProvider),
})
export type Flagged = z.infer<typeof Flagged>

export const FlagCount = z.object({ accounts: z.int() })
export type FlagCount = z.infer<typeof FlagCount>

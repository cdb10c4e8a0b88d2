import * as z from 'zod/mini'

/** An instant on the wire: ISO 8601 in UTC with a Z. */
export const IsoInstant = z.iso.datetime()
export type IsoInstant = z.infer<typeof IsoInstant>

/** A calendar day in the clinic's own zone: `2026-03-02`. Impossible days are refused. */
export const IsoDate = z.iso.date()
export type IsoDate = z.infer<typeof IsoDate>

/** Milliseconds in one day of 24 hours; calendar days go through Temporal instead. */
export const DAY_MS = 86_400_000

/** Epoch milliseconds as they travel. */
export function toIso(epochMs: number): IsoInstant {
  return new Date(epochMs).toISOString()
}

import * as z from 'zod/mini'

export const Currency = z.enum(['GBP', 'USD'])
export type Currency = z.infer<typeof Currency>

/** Integer minor units (pence, cents) with their ISO 4217 currency; never a float. */
export const Money = z.strictObject({ minor: z.int().check(z.nonnegative()), currency: Currency })
export type Money = z.infer<typeof Money>

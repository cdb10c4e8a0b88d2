import * as z from 'zod/mini'
import { numberFormat } from './intl.ts'

export const Currency = z.enum(['GBP', 'USD'])
export type Currency = z.infer<typeof Currency>

/** Integer minor units (pence, cents) with their ISO 4217 currency; never a float. */
export const Money = z.strictObject({ minor: z.int().check(z.nonnegative()), currency: Currency })
export type Money = z.infer<typeof Money>

/** Money that moved at a gateway, in any currency: it may differ from what we asked for. */
export const GatewayAmount = z.object({ minor: z.int(), currency: z.string() })
export type GatewayAmount = z.infer<typeof GatewayAmount>

/**
 * "£60.00", always with pence or cents: wherever somebody is about to pay, and in emails. `minor` is integer minor
 * units of the ISO 4217 `currency`, which need not be one of ours.
 */
export function formatExactMoney({ minor, currency }: { minor: number; currency: string }): string {
  const locale = currency === 'USD' ? 'en-US' : 'en-GB'
  const format = numberFormat(locale, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor / 10 ** digits)
}

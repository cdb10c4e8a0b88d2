import { numberFormat } from '#contract/base/intl.ts'
import type { Currency, Money } from '#contract/base/money.ts'

const locales: Record<Currency, string> = { GBP: 'en-GB', USD: 'en-US' }

/** "£60" or "£62.50", with the symbol and locale of the money's currency. */
export function formatMoney(money: Money): string {
  const format = numberFormat(locales[money.currency], {
    style: 'currency',
    currency: money.currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(money.minor / 10 ** digits)
}

/** Parses "60", "60.5" or "1,200.50" to minor units; NaN if it is not an amount. */
export function parseMinorUnits(text: string): number {
  const bare = text.trim().replaceAll(',', '')
  if (!/^\d{1,7}(?:\.\d{1,2})?$/.test(bare)) return Number.NaN
  const [whole = '', part = ''] = bare.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** The other way round, as somebody would type it: 6000 is "60", 6050 is "60.50". */
export function formatMajorUnits(minor: number): string {
  const whole = Math.trunc(minor / 100)
  const part = minor % 100
  return part === 0 ? String(whole) : `${whole}.${String(part).padStart(2, '0')}`
}

/** "£60.00", "$60.00", "€60.00": an amount in whatever currency was received. */
export function formatAnyCurrency({
  minor,
  currency,
}: {
  minor: number
  currency: string
}): string {
  const locale = currency === 'USD' ? 'en-US' : 'en-GB'
  return numberFormat(locale, { style: 'currency', currency }).format(minor / 100)
}

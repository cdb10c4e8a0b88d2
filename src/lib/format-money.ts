import { numberFormat } from '#contract/intl.ts'
import type { Currency, Money } from '#contract/money.ts'

const locales: Record<Currency, string> = { GBP: 'en-GB', USD: 'en-US' }

/** "£60" or "£62.50": the sign follows the money, never the screen. */
export function formatMoney(money: Money): string {
  const format = numberFormat(locales[money.currency], {
    style: 'currency',
    currency: money.currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(money.minor / 10 ** digits)
}

import { formatMoney } from '#app/lib/format-money.ts'
import type { Money as Amount } from '#contract/money.ts'

/** An amount with its own currency sign, in figures that line up. */
export function Money({ amount }: { amount: Amount }) {
  return <span className="tabular whitespace-nowrap">{formatMoney(amount)}</span>
}

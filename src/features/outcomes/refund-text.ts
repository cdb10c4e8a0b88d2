import { formatExactMoney } from '#contract/base/money.ts'
import type { OutcomeClaim } from '#contract/outcomes.ts'

/** What an outcome refunds; of a visit that is refunded already, nothing is left. */
export function refundText(refundable: OutcomeClaim['refundable']): string {
  return refundable.minor === 0
    ? 'There’s nothing left to refund.'
    : `Refunds ${formatExactMoney(refundable)}.`
}

import { formatMoney } from '#app/lib/format.ts'
import type { Money as Amount } from '#contract/money.ts'

type FeesProps = { fee: Amount; followUpFee: Amount }

/** "First visit £60 · Follow-up £40", the two fees of the specification in one line. */
export function Fees({ fee, followUpFee }: FeesProps) {
  return (
    <span>
      First visit{' '}
      <strong className="font-semibold">
        <Money amount={fee} />
      </strong>
      <span aria-hidden="true"> · </span>
      <span className="sr-only">, </span>
      Follow-up{' '}
      <strong className="font-semibold">
        <Money amount={followUpFee} />
      </strong>
    </span>
  )
}

/** An amount with its own currency sign, in figures that line up. */
export function Money({ amount }: { amount: Amount }) {
  return <span className="tabular whitespace-nowrap">{formatMoney(amount)}</span>
}

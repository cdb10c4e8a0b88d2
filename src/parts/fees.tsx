import type { Money as Amount } from '#contract/money.ts'
import { Money } from './money.tsx'

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

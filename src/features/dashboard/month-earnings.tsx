import { TextLink } from '#app/ui/text-link.tsx'
import { dateFormat } from '#contract/intl.ts'
import { formatExactMoney } from '#contract/money.ts'
import type { Earnings } from '#contract/payments-history.ts'
import { Panel } from './panel.tsx'

function visits(count: number): string {
  return count === 1 ? '1 visit' : `${count} visits`
}

/** "March 2026". */
function monthWords(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}T12:00:00Z`),
  )
}

/** What the visits of this month bring in: paid, and not paid back. */
export function MonthEarnings({ earnings }: { earnings: Earnings }) {
  const { month, earned, coming, comingVisits } = earnings
  return (
    <Panel title="Earnings this month" aside={monthWords(month)}>
      <p className="tabular text-2xl font-semibold">{formatExactMoney(earned)}</p>
      <p className="text-muted">from {visits(earnings.visits)} so far</p>
      {comingVisits > 0 && (
        <p className="tabular mt-3 border-t border-line pt-3">
          {formatExactMoney(coming)}{' '}
          <span className="text-muted">more is paid for {visits(comingVisits)} to come</span>
        </p>
      )}
      <p className="mt-4">
        <TextLink to="/doctor/appointment-history" className="inline-flex min-h-6 items-center">
          Booked History
        </TextLink>
      </p>
    </Panel>
  )
}

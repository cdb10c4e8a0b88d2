import { plural } from '#app/lib/format/words.ts'
import { TextLink } from '#app/ui/button.tsx'
import { dateFormat } from '#contract/base/intl.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import type { Earnings } from '#contract/payments-history.ts'
import { Panel } from './panel.tsx'

/** "March 2026". */
function monthText(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}T12:00:00Z`),
  )
}

/** Earnings from this month's visits, net of refunds. */
export function MonthEarnings({ earnings }: { earnings: Earnings }) {
  const { month, earned, coming, comingVisits } = earnings
  return (
    <Panel title="Earnings this month" aside={monthText(month)}>
      <p className="tabular text-2xl font-semibold">{formatExactMoney(earned)}</p>
      <p className="text-muted">from {plural(earnings.visits, 'visit')} so far</p>
      {comingVisits > 0 && (
        <p className="tabular mt-3 border-t border-line pt-3">
          {formatExactMoney(coming)}{' '}
          <span className="text-muted"> paid for {plural(comingVisits, 'upcoming visit')}</span>
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

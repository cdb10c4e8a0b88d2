import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLongDate, formatTime } from '#app/lib/format/dates.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { visitHours, visitTypeText, visitZone } from '#app/lib/visit-text.ts'
import { DataBoundary, LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { Fact, FactList } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Badge, ErrorState } from '#app/ui/notice.tsx'
import { Container, PageTitle, PendingShapes } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { Receipt } from '#contract/payments-history.ts'

const methodText = { stripe: 'Card', paypal: 'PayPal' } as const
const typeLabels = { first_visit: 'First visit', follow_up: 'Follow-up visit' } as const

/** The seller: the operator of this site, as named in its company profile. */
function Operator() {
  const { company, supportEmail } = useSiteConfig()
  return (
    <address className="text-sm not-italic sm:text-right">
      <strong className="block text-base font-semibold">{company.name || 'Apposite'}</strong>
      {company.registration !== '' && <span className="block">{company.registration}</span>}
      {company.address.length > 0 && <span className="block">{company.address.join(', ')}</span>}
      <span className="block wrap-anywhere">{supportEmail}</span>
    </address>
  )
}

type LineProps = { what: ReactNode; when?: string; amount: string; isTotal?: boolean }

function Line({ what, when, amount, isTotal = false }: LineProps) {
  return (
    <tr className={isTotal ? 'border-t-2 border-ink font-semibold' : 'border-t border-line'}>
      <th scope="row" className={cx('py-3 pr-4 text-left', !isTotal && 'font-normal')}>
        {what}
        {when !== undefined && <span className="block text-sm text-muted">{when}</span>}
      </th>
      <td className="tabular py-3 text-right align-top whitespace-nowrap">{amount}</td>
    </tr>
  )
}

/** Amounts paid, refunded and remaining. */
function Lines({ receipt }: { receipt: Receipt }) {
  const { paid, refunds, left, typeOfVisit, provider, timeZone } = receipt
  const day = (instant: string) => formatLongDate(instant, timeZone)
  return (
    <table className="w-full border-b border-line">
      <caption className="sr-only">What was paid and refunded</caption>
      <tbody>
        <Line
          what={`${typeLabels[typeOfVisit]} with ${provider.name}`}
          when={`Paid ${day(receipt.paidAt)}, ${formatTime(receipt.paidAt, timeZone)}`}
          amount={formatExactMoney(paid)}
        />
        {refunds.map(({ amount, at, isDone }, index) => (
          <Line
            // Refunds have no id here, and their order never changes.
            key={index}
            what={isDone ? 'Refund' : 'Refund on its way'}
            when={`${isDone ? 'Refunded' : 'Requested'} ${day(at)}`}
            amount={`−${formatExactMoney(amount)}`}
          />
        ))}
        <Line
          isTotal
          what={refunds.length === 0 ? 'Total paid' : 'Total after refunds'}
          amount={formatExactMoney(left)}
        />
      </tbody>
    </table>
  )
}

const visitBadges = {
  booked: null,
  cancelled: 'Visit cancelled',
  none: 'No visit booked',
} satisfies Record<Receipt['visit'], string | null>

function Facts({ receipt }: { receipt: Receipt }) {
  const { provider, place, visit } = receipt
  return (
    <FactList>
      <Fact name="Reference">
        <span className="tabular font-semibold select-all">{receipt.reference}</span>
      </Fact>
      <Fact name="Patient">{receipt.patientName ?? 'Name no longer kept'}</Fact>
      <Fact name="Provider">
        {provider.name}, {provider.specialty}
      </Fact>
      <Fact name="Visit">
        <span className="block">
          {formatLongDate(receipt.startsAt, receipt.timeZone)}, {visitHours(receipt)}{' '}
          <span className="text-muted">({visitZone(receipt)})</span>
        </span>
        <span className="block">{visitTypeText(receipt)}</span>
        {visitBadges[visit] !== null && <Badge>{visitBadges[visit]}</Badge>}
      </Fact>
      <Fact name="Where">
        {receipt.mode === 'video' ? (
          `Video visit with ${place.name}`
        ) : (
          <>
            {place.name}, {place.address}{' '}
            <span className="whitespace-nowrap">{place.postcode}</span>
          </>
        )}
      </Fact>
      <Fact name="Paid by">{methodText[receipt.method]}</Fact>
      <Fact name="Payment">
        <span className="font-mono text-sm wrap-anywhere select-all">{receipt.paymentId}</span>
      </Fact>
    </FactList>
  )
}

function LoadedReceipt({ paymentId }: { paymentId: string }) {
  const [receipt] = trpc.payments.receipt.useSuspenseQuery({ paymentId }, { staleTime: 0 })
  return (
    <>
      <PageTitle title={`Receipt ${receipt.reference}`} />
      <article className="flex flex-col gap-8 rounded-card border border-line bg-surface p-5 sm:p-8 print:border-0 print:p-0">
        <div className="flex flex-wrap items-start justify-between gap-4">
          <h1 className="text-3xl font-semibold">Receipt</h1>
          <Operator />
        </div>
        <Facts receipt={receipt} />
        <Lines receipt={receipt} />
      </article>
      <div className="no-print mt-6 flex flex-wrap gap-3">
        <Button onClick={() => print()}>
          <Printer aria-hidden="true" className="size-5" />
          Print
        </Button>
      </div>
    </>
  )
}

const NOT_FOUND_CODES = new Set(['not_found', 'invalid_input', 'forbidden'])

function ReceiptNotFound(failure: LoadFailureProps) {
  const { code, reference } = describeFailure(failure.error)
  if (!NOT_FOUND_CODES.has(code)) return <LoadFailure {...failure} />
  return (
    <ErrorState
      title="We can’t find this receipt"
      sentence="Only the person who paid can see a receipt. Check that you’re signed in with the account you booked with."
      reference={reference}
      actions={<LinkButton to="/userProfile">Go to your account</LinkButton>}
    />
  )
}

/** `/receipt/{paymentId}`: one payment, for its payer and for staff; made to be printed. */
export function ReceiptPage({ paymentId }: { paymentId: string }) {
  return (
    <Container className="py-8 sm:py-12 print:p-0">
      <PageTitle title="Receipt" />
      <div className="mx-auto max-w-180">
        <DataBoundary
          failed="The receipt didn’t load"
          pending={
            <PendingShapes className="flex flex-col gap-4" shapes={['h-24', 'h-64', 'h-40']} />
          }
          renderFailure={(failure) => <ReceiptNotFound {...failure} />}
        >
          <LoadedReceipt paymentId={paymentId} />
        </DataBoundary>
      </div>
    </Container>
  )
}

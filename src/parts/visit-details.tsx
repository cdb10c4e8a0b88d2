import { policySentence } from '#app/lib/policy-sentence.ts'
import { visitTypeWords } from '#app/lib/visit-words.ts'
import type { Visit } from '#contract/booking.ts'
import { formatExactMoney } from '#contract/money.ts'
import { Fact, FactList, PhoneLink, VisitPlace, VisitTime } from './visit-facts.tsx'

const methods = { stripe: 'by card', paypal: 'with PayPal' } as const

type VisitDetailsProps = {
  visit: Visit
  /** Who and when stand above already. */
  isShort?: boolean
}

/** Everything about a booked visit: on the confirmation, in the account and on paper. */
export function VisitDetails({ visit, isShort = false }: VisitDetailsProps) {
  const { provider, cancellation, purposeForVisit } = visit
  return (
    <FactList>
      {!isShort && (
        <>
          <Fact name="Who">
            <span className="block font-semibold">{provider.name}</span>
            {provider.specialty}
          </Fact>
          <Fact name="When">
            <VisitTime visit={visit} />
          </Fact>
        </>
      )}
      <Fact name="Where">
        <VisitPlace visit={visit} />
      </Fact>
      {provider.phone && (
        <Fact name="Phone">
          <PhoneLink phone={provider.phone} />
        </Fact>
      )}
      <Fact name="Visit">{visitTypeWords[visit.typeOfVisit]}</Fact>
      <Fact name="Paid">
        <span className="tabular">{formatExactMoney(visit.fee)}</span>{' '}
        {methods[visit.paymentMethod]}
      </Fact>
      {visit.state === 'confirmed' && (
        <Fact name="If you cancel">{policySentence(cancellation)}</Fact>
      )}
      <Fact name="Purpose of your visit">
        <span className="whitespace-pre-line wrap-anywhere">{purposeForVisit}</span>
      </Fact>
      <Fact name="Reference">
        <span className="tabular wrap-anywhere select-all">{visit.id}</span>
      </Fact>
    </FactList>
  )
}

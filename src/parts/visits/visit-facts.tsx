import { Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { dayOf, formatDay, formatLongDate, formatTime } from '#app/lib/format/dates.ts'
import {
  cancellationSentence,
  missedSentence,
  visitHours,
  visitMoment,
  visitTypeText,
  visitZone,
} from '#app/lib/visit-text.ts'
import { DirectionsLink, ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { phoneLink } from '#contract/base/phones.ts'
import type { VisitFacts as Facts, Visit, VisitMove } from '#contract/booking.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'

/** Who, where and when; the distance belongs to a search. */
type Shown = Omit<Facts, 'distance'>

type FactProps = { name: string; children: ReactNode }

/** One line of a list of facts. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="grid gap-x-6 @md:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-sm text-muted @md:text-base">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** When: the day, the hours and the clinic's zone by name. */
export function VisitTime({ visit }: { visit: Pick<Shown, 'startsAt' | 'endsAt' | 'timeZone'> }) {
  return (
    <>
      <span className="block font-semibold">{formatLongDate(visit.startsAt, visit.timeZone)}</span>
      <span className="tabular block">
        {visitHours(visit)} <span className="inline-block text-muted">({visitZone(visit)})</span>
      </span>
    </>
  )
}

type VisitHeadlineProps = {
  visit: Shown
  /** The element of day and time: a heading, or `p` under another heading. */
  as?: 'p' | 'h4'
  /** The provider's name as a link, where it leads somewhere. */
  name?: ReactNode
}

/** When and with whom, as the largest thing on a page. */
export function VisitHeadline({ visit, as: Tag = 'p', name }: VisitHeadlineProps) {
  const { provider, startsAt, timeZone } = visit
  return (
    <div className="@container flex flex-col gap-4">
      <Tag className="font-semibold">
        <span className="block text-xl sm:text-2xl">
          {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')}
        </span>
        <span className="tabular block text-3xl leading-tight sm:text-4xl">
          {formatTime(startsAt, timeZone)}
        </span>
      </Tag>
      <p className="tabular text-muted">
        {visitHours(visit)} <span>({visitZone(visit)})</span>
      </p>
      <div className="flex items-center gap-4 @max-[13rem]:flex-col @max-[13rem]:items-start">
        <ProviderPhoto name={provider.name} photo={provider.photo} isEager />
        <div className="min-w-0">
          <p className="font-display text-xl leading-tight font-medium">{name ?? provider.name}</p>
          <p className="text-muted">{provider.specialty}</p>
        </div>
      </div>
    </div>
  )
}

/** Where to join a video visit; the link is shown only when it can be joined. */
function VideoPlace() {
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Video aria-hidden="true" className="size-4 shrink-0" />
        Video visit
      </span>
      <span className="block text-sm text-muted">
        Join from your visits, from 15 minutes before it begins.
      </span>
    </>
  )
}

/** Where: the practice, its address and directions; for a video visit, how to join. */
export function VisitPlace({ visit }: { visit: Pick<Facts, 'place' | 'mode'> }) {
  const { place } = visit
  if (visit.mode === 'video') return <VideoPlace />
  return (
    <>
      <span className="block">{place.name}</span>
      <span className="block">
        {place.address} <span className="whitespace-nowrap">{place.postcode}</span>
      </span>
      <span className="no-print block">
        <DirectionsLink point={place} name={place.name} />
      </span>
    </>
  )
}

/** The number of the practice as a link that dials it. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={phoneLink(phone)} className={cx(textLinkClass, 'tabular')}>
      {phone}
    </a>
  )
}

type FactListProps = { children: ReactNode; className?: string }

const movedByLabels = {
  patient: 'you',
  provider: 'your provider',
  staff: 'Apposite',
  system: 'Apposite',
} as const

type MovesProps = {
  visit: { moves: readonly VisitMove[]; timeZone: string }
  /** What to call each side, depending on the reader. */
  by?: Readonly<Record<VisitMove['by'], string>>
}

/** The visit's earlier times: "From Tue 1 Dec, 09:00, by you on Mon 30 Nov". Nothing if it never moved. */
export function VisitMoves({ visit: { moves, timeZone }, by: names = movedByLabels }: MovesProps) {
  if (moves.length === 0) return null
  return (
    <Fact name="Moved">
      <ol className="flex flex-col gap-1">
        {moves.map(({ at, by, from, fromZone, to, toZone }) => (
          <li key={at} className="tabular">
            {visitMoment(from, fromZone)} to {visitMoment(to, toZone)}
            <span className="block text-sm text-muted">
              By {names[by]} on {formatDay(dayOf(at, timeZone), timeZone)}
            </span>
          </li>
        ))}
      </ol>
    </Fact>
  )
}

/** A list of facts; names at the left where there is room. */
export function FactList({ children, className }: FactListProps) {
  return (
    <dl className={cx('@container flex flex-col gap-3 [&_dt]:shrink-0', className)}>{children}</dl>
  )
}

export const paidBy = { stripe: 'by card', paypal: 'with PayPal' } as const

type VisitDetailsProps = {
  visit: Visit
  /** Omits who and when, which are shown above. */
  isShort?: boolean
}

/** Everything about a booked visit: on the confirmation, in the account and in print. */
export function VisitDetails({ visit, isShort = false }: VisitDetailsProps) {
  const { provider, purposeForVisit } = visit
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
        <Fact name="Practice phone">
          <PhoneLink phone={provider.phone} />
        </Fact>
      )}
      <Fact name="Visit">
        {visitTypeText(visit)}
        {visit.mode === 'video' && ', by video'}
      </Fact>
      {visit.patientState !== null && <Fact name="You’ll be in">{visit.patientState}</Fact>}
      <Fact name="Paid">
        <span className="tabular">{formatExactMoney(visit.fee)}</span> {paidBy[visit.paymentMethod]}
        {visit.paymentId !== null && (
          <TextLink
            to="/receipt/$paymentId"
            params={{ paymentId: visit.paymentId }}
            className="no-print ml-3 inline-flex min-h-6 items-center"
          >
            Receipt
          </TextLink>
        )}
      </Fact>
      {visitLife.may('cancel', visit.state, 'patient') && (
        <Fact name="If you cancel">
          {cancellationSentence(visit, visit.typeOfVisit, visit.fee)}{' '}
          {missedSentence(visit, visit.fee)}
        </Fact>
      )}
      <VisitMoves visit={visit} />
      <Fact name="Purpose of your visit">
        <span className="whitespace-pre-line wrap-anywhere">{purposeForVisit}</span>
      </Fact>
      <Fact name="Reference">
        <span className="tabular whitespace-nowrap select-all">{visit.reference}</span>
      </Fact>
    </FactList>
  )
}

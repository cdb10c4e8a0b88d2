import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatLongDate } from '#app/lib/format-time.ts'
import { visitHours, visitZone } from '#app/lib/visit-words.ts'
import { textLinkClass } from '#app/ui/text-link.tsx'
import type { VisitFacts as Facts } from '#contract/booking.ts'
import { DirectionsLink } from './directions-link.tsx'

type FactProps = { name: string; children: ReactNode }

/** One line of a list of facts. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="grid gap-x-6 @md:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-muted max-md:text-sm">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** When: the day, the hours and the clinic's zone by name. */
export function VisitTime({ visit }: { visit: Facts }) {
  return (
    <>
      <span className="block font-semibold">{formatLongDate(visit.startsAt, visit.timeZone)}</span>
      <span className="tabular block">
        {visitHours(visit)} <span className="text-muted">({visitZone(visit)})</span>
      </span>
    </>
  )
}

/** Where: the practice, its address and the way there. */
export function VisitPlace({ visit }: { visit: Facts }) {
  const { place } = visit
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
    <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className={cx(textLinkClass, 'tabular')}>
      {phone}
    </a>
  )
}

type FactListProps = { children: ReactNode; className?: string }

/** A list of facts; names at the left where there is room. */
export function FactList({ children, className }: FactListProps) {
  return (
    <dl className={cx('@container flex flex-col gap-3 [&_dt]:shrink-0', className)}>{children}</dl>
  )
}

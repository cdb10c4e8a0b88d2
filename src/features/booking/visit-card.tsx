import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { dayOf, formatDay } from '#app/lib/format-time.ts'
import { visitHours, visitZone } from '#app/lib/visit-words.ts'
import { CalendarButton } from '#app/parts/calendar-button.tsx'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import { VisitDetails } from '#app/parts/visit-details.tsx'
import { Badge } from '#app/ui/badge.tsx'
import type { Visit } from '#contract/booking.ts'

type VisitCardProps = { visit: Visit; isComing: boolean }

/** One visit of the list: when and with whom; everything else on opening it. */
export function VisitCard({ visit, isComing }: VisitCardProps) {
  const { provider, startsAt, timeZone, place } = visit
  const date = dayOf(startsAt, timeZone)
  const year = date.slice(0, 4)
  const day = formatDay(date, timeZone, 'long')
  return (
    <article className="rounded-card border border-line bg-surface">
      <div className="flex gap-4 p-4 sm:p-5">
        <ProviderPhoto name={provider.name} photo={provider.photo} size="small" />
        <div className="min-w-0 flex-1">
          <h4 className="tabular text-lg leading-tight font-semibold">
            {day} {!isComing && year}
          </h4>
          <p className="tabular">
            {visitHours(visit)} <span className="text-sm text-muted">({visitZone(visit)})</span>
          </p>
          <p className="mt-1">
            <Link
              to="/doctor-profile/$id/$distance"
              params={{ id: provider.id, distance: visit.distance ?? '0' }}
              search={{ region: visit.region }}
              className="font-display text-lg leading-tight font-medium text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
            >
              {provider.name}
            </Link>
            <span className="block text-muted">
              {provider.specialty}, {place.name}
            </span>
          </p>
          {visit.state === 'cancelled' && (
            <p className="mt-2">
              <Badge>Cancelled</Badge>
            </p>
          )}
        </div>
      </div>
      <details className="group border-t border-line">
        <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-4 font-medium text-brand-deep sm:px-5 [&::-webkit-details-marker]:hidden">
          <span>
            Details
            <span className="sr-only">
              {' '}
              of {day} with {provider.name}
            </span>
          </span>
          <ChevronDown
            aria-hidden="true"
            strokeWidth={1.75}
            className="size-5 transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="flex flex-col gap-5 px-4 pb-5 sm:px-5">
          <VisitDetails visit={visit} isShort />
          {isComing && visit.state === 'confirmed' && (
            <div className="flex flex-wrap gap-3">
              <CalendarButton visitId={visit.id} what={`${provider.name}, ${day}`} />
            </div>
          )}
        </div>
      </details>
    </article>
  )
}

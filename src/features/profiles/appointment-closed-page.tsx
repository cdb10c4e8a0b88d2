import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDay, zoneLabel } from '#app/lib/format-time.ts'
import { formatWallTime } from '#app/lib/slot-choice.ts'
import { Money } from '#app/parts/money.tsx'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Card } from '#app/ui/card.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import type { ProviderProfile } from '#contract/search.ts'
import type { AppointmentSearch } from './profile-search.ts'
import { locationOf, policySentence, specialityOf } from './profile-words.ts'

type AppointmentClosedPageProps = {
  profile: ProviderProfile
  search: AppointmentSearch
  /** The form that writes to the provider; from another room. */
  contact: ReactNode
}

function When({ profile, search }: Pick<AppointmentClosedPageProps, 'profile' | 'search'>) {
  const timeZone = profile.places[0]?.timeZone ?? 'Europe/London'
  if (search.date === undefined) return 'No time chosen yet'
  const day = formatDay(search.date, timeZone, 'long')
  if (search.time === undefined) return day
  const zone = zoneLabel(`${search.date}T12:00:00Z`, timeZone)
  return `${day}, ${formatWallTime(search.time, timeZone)} (${zone})`
}

function Summary({ profile, search }: Pick<AppointmentClosedPageProps, 'profile' | 'search'>) {
  return (
    <Card className="lg:sticky lg:top-4">
      <h2 className="sr-only">Your choice</h2>
      <div className="flex items-center gap-4">
        <ProviderPhoto name={profile.name} photo={profile.photo} size="small" />
        <div className="min-w-0">
          <p className="font-display text-lg leading-tight font-medium">{profile.name}</p>
          <p className="text-muted">{specialityOf(profile)}</p>
        </div>
      </div>
      <dl className="mt-5 flex flex-col gap-3 border-t border-line pt-5 [&_dt]:text-sm [&_dt]:text-muted">
        <div>
          <dt>When</dt>
          <dd className="tabular font-semibold">
            <When profile={profile} search={search} />
          </dd>
        </div>
        <div>
          <dt>Where</dt>
          <dd>{locationOf(profile)}</dd>
        </div>
        <div>
          <dt>First visit</dt>
          <dd>
            <Money amount={profile.fee} />
          </dd>
        </div>
        <div>
          <dt>If you cancel</dt>
          <dd>{policySentence(profile.cancellation)}</dd>
        </div>
      </dl>
      <LinkButton
        to="/doctor-profile/$id/$distance"
        params={{ id: profile.id, distance: search.distance ?? '0' }}
        search={{ region: profile.region, date: search.date, time: search.time }}
        variant="secondary"
        className="mt-5 w-full"
      >
        Choose another time
      </LinkButton>
    </Card>
  )
}

/** Where booking begins once it opens; until then it says so and offers the ways there are. */
export function AppointmentClosedPage({ profile, search, contact }: AppointmentClosedPageProps) {
  const phone = profile.places[0]?.phone
  return (
    <Container className="py-6 md:py-10">
      <PageTitle title={`Appointment with ${profile.name}`} />
      <h1 className="text-2xl font-semibold sm:text-3xl">
        Ask {profile.name} for {search.time === undefined ? 'a' : 'this'} time
      </h1>
      <div className="mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
        <div className="flex flex-col gap-6 max-lg:order-2">
          <Notice kind="info" title="Booking online is not open on this site yet">
            <p className="max-w-prose">
              Nothing is booked and nothing is charged. Write to {profile.name} and name the time
              you would like{phone ? ', or phone the practice' : ''}. They answer by email.
            </p>
          </Notice>
          {phone && (
            <div>
              <a
                href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}
                className={`${buttonClass('secondary')} tabular`}
              >
                <Phone aria-hidden="true" strokeWidth={1.75} className="size-5" />
                Phone {phone}
              </a>
            </div>
          )}
          {contact}
        </div>
        <Summary profile={profile} search={search} />
      </div>
    </Container>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { CalendarX } from 'lucide-react'
import { describeFailure } from '#app/lib/errors.ts'
import { midSentence } from '#app/lib/format/words.ts'
import { LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { SearchBox } from '#app/parts/search-box.tsx'
import { buttonClass, LinkButton, TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Card, Container, PageTitle } from '#app/ui/page.tsx'
import { phoneLink } from '#contract/base/phones.ts'
import type { Region } from '#contract/base/region.ts'
import { DEFAULT_RADIUS, type ProviderProfile } from '#contract/search.ts'

const emptySearch = {
  postcode: '',
  specialty: undefined,
  radius: DEFAULT_RADIUS,
  distance_filter_clicked: false,
} as const

/** A profile that does not exist, or no longer: says so and links to others. */
export function ProfileMissing({ region }: { region: Region }) {
  const navigate = useNavigate()
  return (
    <Container className="py-10 md:py-18">
      <PageTitle title="Provider not found" />
      <div className="mx-auto max-w-140 text-center">
        <h1 className="text-3xl font-semibold">We can’t find this provider</h1>
        <p className="mt-3 text-lg text-muted">They may no longer take bookings here.</p>
      </div>
      <Card className="mt-8">
        <h2 className="mb-4 text-xl font-semibold">Find someone else</h2>
        <SearchBox
          region={region}
          initial={emptySearch}
          onSearch={(values) =>
            void navigate({ to: '/results', search: { ...values, selectedRegion: region } })
          }
        />
      </Card>
      <p className="mt-6 text-center">
        If you have a visit booked with them, <TextLink to="/contact-us">write to us</TextLink> and
        we’ll look into it.
      </p>
    </Container>
  )
}

type ProfileFailureProps = LoadFailureProps & { region: Region }

/** The provider does not exist or could not be fetched: retry, or go elsewhere. */
export function ProfileFailure({ region, ...failure }: ProfileFailureProps) {
  if (describeFailure(failure.error).code === 'provider_not_found') {
    return <ProfileMissing region={region} />
  }
  return (
    <Container className="py-10">
      <PageTitle title="Provider" />
      <h1 className="mb-6 text-2xl font-semibold">Provider</h1>
      <LoadFailure
        {...failure}
        more={
          <LinkButton to="/home" variant="secondary">
            Go home
          </LinkButton>
        }
      />
    </Container>
  )
}

/** No free time online: what the patient can still do. */
export function NothingFree({ profile }: { profile: ProviderProfile }) {
  const phone = profile.places[0]?.phone
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-2.5">
        <CalendarX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
        <span>
          {profile.name} has no online times at the moment. Write to ask for one
          {phone ? ', or phone the practice.' : '.'}
        </span>
      </p>
      <a href="#contact" className={buttonClass()}>
        Ask for a time
      </a>
      {phone && (
        <a href={phoneLink(phone)} className={`${buttonClass('secondary')} tabular`}>
          Phone {phone}
        </a>
      )}
      {profile.nearby.length > 0 && (
        <p>
          Or see{' '}
          <a href="#nearby" className={textLinkClass}>
            other {midSentence(profile.specialty.plural)} nearby
          </a>{' '}
          who are free.
        </p>
      )}
    </div>
  )
}

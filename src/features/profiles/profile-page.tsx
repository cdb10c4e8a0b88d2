import { useRouter } from '@tanstack/react-router'
import { CalendarPlus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useInView } from '#app/lib/browser-hooks.ts'
import { mainZoneOf } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatRelativeDay, formatTime } from '#app/lib/format/dates.ts'
import { midSentence } from '#app/lib/format/words.ts'
import { type OwnSearch, useOwnSearch } from '#app/lib/own-search.ts'
import { isPlainPress } from '#app/lib/press.ts'
import { ProviderCard } from '#app/parts/provider-card.tsx'
import { peopleWord, useSpecialities } from '#app/parts/use-specialities.ts'
import { usePlaceOfNext } from '#app/parts/visits/use-place-of-time.ts'
import { buttonClass, TextLink } from '#app/ui/button.tsx'
import { Breadcrumb, Card, Container, PageTitle } from '#app/ui/page.tsx'
import type { Region } from '#contract/base/region.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { locationOf, specialityOf } from './profile-search.ts'
import {
  About,
  BackgroundSections,
  FeesAndPolicy,
  Identity,
  Places,
  Section,
} from './profile-sections.tsx'

type ProfilePageProps = {
  profile: ProviderProfile
  distance: number | null
  /** The picker of free times, rendered by another feature. */
  picker: ReactNode
  /** The contact form, rendered by another feature. */
  contact: ReactNode
  /** A map of the locations, rendered by another feature. */
  map: ReactNode
}

/** On phones, while the picker is out of view: a link to it, and the first free time. */
function StickyBooking({ profile }: { profile: ProviderProfile }) {
  const { nextFree } = profile
  const timeZone = mainZoneOf(profile)
  const where = usePlaceOfNext(profile)
  return (
    <div
      data-bottom-bar
      className="no-print fixed inset-x-0 bottom-0 z-20 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-float lg:hidden"
    >
      <p className="min-w-0 leading-tight">
        {nextFree === null ? (
          <span className="text-muted">No online times</span>
        ) : (
          <>
            <span className="block text-sm text-muted">Next free</span>
            <span className="tabular font-semibold whitespace-nowrap text-accent">
              {formatRelativeDay(dayOf(nextFree, timeZone), timeZone)},{' '}
              {formatTime(nextFree, timeZone)}
            </span>
            {where !== null && <span className="block truncate text-sm text-muted">{where}</span>}
          </>
        )}
      </p>
      <a
        href={nextFree === null ? '#contact' : '#times'}
        className={`${buttonClass()} sm:shrink-0 sm:whitespace-nowrap`}
      >
        <CalendarPlus aria-hidden="true" className="size-5 max-sm:hidden" />
        {nextFree === null ? 'Ask for a time' : 'Book appointment'}
      </a>
    </div>
  )
}

/** A provider's public page: who, when, where, how much, and how to write to them. */
export function ProfilePage({ profile, distance, picker, contact, map }: ProfilePageProps) {
  const booking = useRef<HTMLElement>(null)
  const isPickerInView = useInView(booking)
  const what = specialityOf(profile)
  return (
    <Container className="py-5 md:py-8">
      <PageTitle
        title={`${profile.name}, ${midSentence(what)}`}
        description={`${profile.name}, ${what}, ${locationOf(profile)}. See free times, fees and qualifications.`}
      />
      <ProfileTrail profile={profile} />
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-[auto_1fr]">
        <Identity profile={profile} distance={distance} />
        <section
          ref={booking}
          id="times"
          aria-labelledby="times-title"
          className="no-print scroll-mt-4 lg:sticky lg:top-4 lg:row-span-2"
        >
          <Card className="lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
            <h2 id="times-title" className="mb-4 text-xl font-semibold">
              Choose a time
            </h2>
            {picker}
          </Card>
        </section>
        <div className="flex min-w-0 flex-col gap-8">
          <About profile={profile} />
          <BackgroundSections profile={profile} />
          <Places profile={profile} map={map} />
          <FeesAndPolicy profile={profile} />
          <Section id="contact" isOnScreenOnly title={`Write to ${profile.name}`}>
            {contact}
          </Section>
        </div>
      </div>
      <div className="no-print mt-10">
        <Nearby profile={profile} />
      </div>
      {!isPickerInView && <StickyBooking profile={profile} />}
    </Container>
  )
}

/** Back to the user's own results as they left them: page, order, filters and scroll position. */
function OwnResults({ own, region }: { own: OwnSearch; region: Region }) {
  const { history } = useRouter()
  const { search, index } = own
  const specialities = useSpecialities(search.selectedRegion ?? region)
  const people = peopleWord(specialities.find(({ slug }) => slug === search.specialty))
  const isPoint = search.latitude !== undefined
  const where = isPoint || !search.postcode ? 'in the area you chose' : `near ${search.postcode}`
  return (
    <TextLink
      to="/results"
      search={search}
      onClick={(event) => {
        const steps = index - history.location.state.__TSR_index
        if (!isPlainPress(event) || steps >= 0) return
        event.preventDefault()
        history.go(steps)
      }}
    >
      {people} {where}
    </TextLink>
  )
}

/** Breadcrumb of a profile: the user's own search, or otherwise a search nearby. */
function ProfileTrail({ profile }: { profile: ProviderProfile }) {
  const own = useOwnSearch()
  const [place] = profile.places
  const home = (
    <TextLink key="home" to="/home">
      Home
    </TextLink>
  )
  const others = place && (
    <TextLink
      key="others"
      to="/results"
      search={{
        selectedRegion: profile.region,
        postcode: place.postcode,
        specialty: profile.specialty.slug,
      }}
    >
      {profile.specialty.plural} near {place.postcode}
    </TextLink>
  )
  const results = own ? <OwnResults key="own" own={own} region={profile.region} /> : others
  return <Breadcrumb trail={results ? [home, results] : [home]} current={profile.name} />
}

/** Others of the same speciality nearby; distances are from this provider's location. */
function Nearby({ profile }: { profile: ProviderProfile }) {
  const [place] = profile.places
  if (profile.nearby.length === 0) return null
  const title = `Other ${midSentence(profile.specialty.plural)} nearby`
  return (
    <Section id="nearby" title={title}>
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {profile.nearby.map((card) => (
          <li key={card.id}>
            <ProviderCard card={card} region={profile.region} isFromElsewhere />
          </li>
        ))}
      </ul>
      {place && (
        <p className="mt-4">
          <TextLink
            to="/results"
            search={{
              selectedRegion: profile.region,
              postcode: place.postcode,
              specialty: profile.specialty.slug,
            }}
          >
            See all {midSentence(profile.specialty.plural)} near {place.postcode}
          </TextLink>
        </p>
      )}
    </Section>
  )
}

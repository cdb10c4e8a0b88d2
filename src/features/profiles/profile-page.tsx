import { CalendarPlus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useInView } from '#app/lib/browser-hooks.ts'
import { dayOf, formatRelativeDay, formatTime, midSentence } from '#app/lib/format.ts'
import { usePlaceOfNext } from '#app/parts/use-place-of-time.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { Card, Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import type { ProviderProfile } from '#contract/search.ts'
import { Identity } from './identity.tsx'
import { Nearby } from './nearby.tsx'
import { locationOf, specialityOf } from './profile-search.ts'
import { ProfileTrail } from './profile-trail.tsx'
import { About, FeesAndPolicy, Places, Qualifications, Section } from './sections.tsx'

type ProfilePageProps = {
  profile: ProviderProfile
  distance: number | null
  /** The picker of free times; from another room. */
  picker: ReactNode
  /** The form that writes to the provider; from another room. */
  contact: ReactNode
  /** A map of the places; from another room. */
  map: ReactNode
}

/** On phones, while the picker is off the screen: the way to it, and what is free first. */
function StickyBooking({ profile }: { profile: ProviderProfile }) {
  const { nextFree, places } = profile
  const timeZone = places[0]?.timeZone ?? 'Europe/London'
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
          <Qualifications profile={profile} />
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

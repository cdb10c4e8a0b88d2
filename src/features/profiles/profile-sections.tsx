import { GraduationCap, type LucideIcon, MapPin, Phone, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import {
  type ChoiceParams,
  formatChoice,
  paramsOfChoice,
  type SlotChoice,
} from '#app/lib/dates/slot-choice.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { formatDistance } from '#app/lib/format/places.ts'
import { languageName } from '#app/lib/format/words.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { policySentence } from '#app/lib/visit-text.ts'
import {
  DirectionsLink,
  Fees,
  Money,
  ProviderPhoto,
  Rating,
  VerifiedBadge,
  VisitModes,
} from '#app/parts/provider-facts.tsx'
import { SaveButton } from '#app/parts/save-button.tsx'
import { LinkButton, textLinkClass } from '#app/ui/button.tsx'
import { phoneLink } from '#contract/base/phones.ts'
import type { Region } from '#contract/base/region.ts'
import { withTypeName } from '#contract/booking.ts'
import type { OfferedVisitType, ProviderProfile, VisitMode } from '#contract/search.ts'
import { locationOf, NO_LOCATION, specialityOf } from './profile-search.ts'

/** Letters of the longest part of a name that can't be wrapped. */
function longestPart(name: string): number {
  return Math.max(...name.split(/[\s-]/).map((part) => part.length))
}

/** On phones a longer one doesn't fit beside the picture: the name goes below it. */
const BESIDE_MAX = 12

/** Nor does a longer one fit the width of a phone, unless it is smaller. */
const LARGE_MAX = 18

type IdentityProps = {
  profile: ProviderProfile
  /** Miles from the place searched; null if unknown. */
  distance: number | null
}

/** The provider at a glance: picture, name, speciality, register, rating, place, fees, languages. */
export function Identity({ profile, distance }: IdentityProps) {
  const { registration, places } = profile
  const longest = longestPart(profile.name)
  const isBelow = longest > BESIDE_MAX
  return (
    <div className="@container flex flex-col gap-5">
      <div
        className={cx(
          'flex items-start gap-4 sm:gap-6 @max-[16rem]:flex-col',
          isBelow && '@max-[30rem]:flex-wrap @max-[16rem]:flex-nowrap',
        )}
      >
        <ProviderPhoto name={profile.name} photo={profile.photo} size="large" isEager />
        <div
          className={cx(
            'min-w-0 flex-1',
            isBelow && '@max-[30rem]:order-last @max-[30rem]:basis-full @max-[16rem]:basis-auto',
          )}
        >
          <h1
            className={cx(
              'font-display leading-tight font-medium wrap-anywhere sm:text-3xl',
              longest > LARGE_MAX ? 'text-xl' : 'text-2xl',
            )}
          >
            {profile.name}
          </h1>
          <p className="mt-1 text-lg">{specialityOf(profile)}</p>
          <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1">
            {registration.checkedOn === null ? (
              <span className="tabular text-sm text-muted">
                {registration.body} {registration.number} · not checked yet
              </span>
            ) : (
              <VerifiedBadge
                body={registration.body}
                number={registration.number}
                checkedOn={registration.checkedOn}
                region={profile.region}
              />
            )}
            <Rating rating={profile.rating} />
          </div>
        </div>
        <div className="-mt-1.5 -mr-2 ml-auto @max-[16rem]:order-first @max-[16rem]:self-end">
          <SaveButton providerId={profile.id} name={profile.name} />
        </div>
      </div>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)] [&_dt]:text-muted [&_dt]:max-sm:sr-only">
        <dt>Place</dt>
        <dd>
          {locationOf(profile)}
          {/* Of several places, the one the search measured to need not be this one. */}
          {distance !== null && places.length === 1 && (
            <span className="tabular whitespace-nowrap text-muted">
              {' '}
              · {formatDistance(distance)}
            </span>
          )}
        </dd>
        <dt>Fees</dt>
        <dd>
          <Fees fee={profile.fee} followUpFee={profile.followUpFee} />
        </dd>
        <dt>Speaks</dt>
        <dd>{profile.languages.map(languageName).join(', ') || 'English'}</dd>
        <dt>Visits</dt>
        <dd className="flex flex-wrap gap-2">
          <VisitModes modes={profile.modes} />
        </dd>
      </dl>
    </div>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The choice made on the profile, for a checkout whose URL does not hold it. */
    bookingDetails?: ChoiceParams & {
      distance: string
      type?: string | undefined
      mode?: VisitMode | undefined
    }
  }
}

type ContinueLinkProps = {
  id: string
  region: Region
  /** As in the URL, to be passed on to the next page. */
  distance: string
  choice: SlotChoice
  timeZone: string
  offersVideo: boolean
  /** The visit type unless it is the first, and below the mode if one was asked for. */
  type: string | undefined
  mode: VisitMode | undefined
}

/** "Continue with Thu 19 Feb, 10:30": names the chosen time. */
export function ContinueLink(props: ContinueLinkProps) {
  const { id, region, distance, choice, timeZone, offersVideo, type } = props
  const ownSearch = useOwnSearch()
  // A search for video visits has chosen the mode already.
  const isSearched = ownSearch?.search.mode === 'video' && offersVideo
  const mode = props.mode ?? (isSearched ? 'video' : undefined)
  const details = { ...paramsOfChoice(choice, timeZone), distance, type, mode }
  return (
    <LinkButton
      to="/appointment/$doc_id"
      params={{ doc_id: id }}
      search={{ region, ...details }}
      state={{ bookingDetails: details, ...ownSearchState(ownSearch) }}
      size="large"
      className="w-full px-3! max-sm:text-base!"
    >
      Continue with {formatDay(choice.date, timeZone)}, {formatChoice(choice, timeZone)}
    </LinkButton>
  )
}

type SectionProps = {
  id: string
  title: string
  children: ReactNode
  /** Hidden in print. */
  isOnScreenOnly?: boolean
}

/** A section of a profile under its heading. */
export function Section({ id, title, children, isOnScreenOnly = false }: SectionProps) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      id={id}
      className={cx('scroll-mt-4 border-t border-line pt-6', isOnScreenOnly && 'no-print')}
    >
      <h2 id={`${id}-title`} className="mb-3 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** About the provider, in their own words. */
export function About({ profile }: { profile: ProviderProfile }) {
  if (profile.about.trim() === '') return null
  return (
    <Section id="about" title={`About ${profile.name}`}>
      <p className="max-w-prose whitespace-pre-line">{profile.about}</p>
    </Section>
  )
}

type ListSectionProps = { id: string; title: string; icon: LucideIcon; lines: readonly string[] }

function ListSection({ id, title, icon: Icon, lines }: ListSectionProps) {
  if (lines.length === 0) return null
  return (
    <Section id={id} title={title}>
      <ul className="flex flex-col gap-2">
        {lines.map((one) => (
          <li key={one} className="flex gap-2.5">
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
            {one}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Lists of the provider's background, each a section of its own. */
export function BackgroundSections({ profile }: { profile: ProviderProfile }) {
  return (
    <>
      <ListSection
        id="qualifications"
        title="Qualifications"
        icon={GraduationCap}
        lines={profile.qualifications}
      />
      <ListSection
        id="affiliations"
        title="Societies and memberships"
        icon={Users}
        lines={profile.affiliations}
      />
    </>
  )
}

function Place({ place }: { place: ProviderProfile['places'][number] }) {
  return (
    <li className="flex gap-2.5">
      <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="font-semibold">{place.name}</p>
        <p className="max-w-prose">
          {place.address}, {place.locality}{' '}
          <span className="whitespace-nowrap">{place.postcode}</span>
        </p>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <DirectionsLink point={place} name={place.name} />
          {place.phone && (
            <a href={phoneLink(place.phone)} className={textLinkClass}>
              <Phone aria-hidden="true" className="mr-1 inline size-4" />
              <span className="sr-only">Practice phone </span>
              <span className="tabular">{place.phone}</span>
            </a>
          )}
        </p>
      </div>
    </li>
  )
}

/** The practice locations, the main one first. */
export function Places({ profile, map }: { profile: ProviderProfile; map: ReactNode }) {
  return (
    <Section id="places" title="Where">
      {profile.places.length === 0 ? (
        <p>{NO_LOCATION}</p>
      ) : (
        <>
          <ul className="flex flex-col gap-5">
            {profile.places.map((place) => (
              <Place key={`${place.name} ${place.postcode}`} place={place} />
            ))}
          </ul>
          {map}
        </>
      )}
    </Section>
  )
}

type Priced = Pick<OfferedVisitType, 'fee' | 'followUpFee' | 'minutes'>

function profileType({ fee, followUpFee, consultationMinutes: minutes }: ProviderProfile): Priced {
  return { fee, followUpFee, minutes }
}

function feesOf({ fee, followUpFee, minutes }: Priced, type: string | null = null) {
  return [
    { name: withTypeName('First visit', type), amount: fee, minutes },
    { name: withTypeName('Follow-up', type), amount: followUpFee, minutes },
  ]
}

/** Fees of each visit type that can be booked, and the cancellation policy. */
export function FeesAndPolicy({ profile }: { profile: ProviderProfile }) {
  const visitTypes = profile.visitTypes.filter(({ modes }) => modes.length > 0)
  const [only = profileType(profile), ...others] = visitTypes
  const rows =
    others.length > 0 ? visitTypes.flatMap((type) => feesOf(type, type.name)) : feesOf(only)
  return (
    <Section id="fees" title="Fees">
      <table className="w-full max-w-form">
        <thead>
          <tr className="border-b border-line text-left text-sm text-muted">
            <th scope="col" className="py-2 font-medium">
              Visit
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Fee
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, amount, minutes }) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-2.5 text-left font-normal">
                {name}
                <span className="block text-sm text-muted">{minutes} minutes</span>
              </th>
              <td className="py-2.5 pl-4 text-right align-top font-semibold">
                <Money amount={amount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4 max-w-prose">{policySentence(profile.cancellation)}</p>
    </Section>
  )
}

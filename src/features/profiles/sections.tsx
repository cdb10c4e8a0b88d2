import { GraduationCap, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { policySentence } from '#app/lib/visit-text.ts'
import { DirectionsLink } from '#app/parts/directions-link.tsx'
import { Money } from '#app/parts/fees.tsx'
import { textLinkClass } from '#app/ui/button.tsx'
import { withTypeName } from '#contract/booking.ts'
import type { OfferedVisitType, ProviderProfile } from '#contract/search.ts'
import { NO_LOCATION } from './profile-search.ts'

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

/** Degrees and memberships. */
export function Qualifications({ profile }: { profile: ProviderProfile }) {
  if (profile.qualifications.length === 0) return null
  return (
    <Section id="qualifications" title="Qualifications">
      <ul className="flex flex-col gap-2">
        {profile.qualifications.map((one) => (
          <li key={one} className="flex gap-2.5">
            <GraduationCap aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
            {one}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Place({ place }: { place: ProviderProfile['places'][number] }) {
  return (
    <li className="flex gap-2.5">
      <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="flex flex-col gap-1">
        <p className="font-semibold">{place.name}</p>
        <p className="max-w-prose">
          {place.address}, {place.locality}{' '}
          <span className="whitespace-nowrap">{place.postcode}</span>
        </p>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <DirectionsLink point={place} name={place.name} />
          {place.phone && (
            <a href={`tel:${place.phone.replaceAll(/[^+\d]/g, '')}`} className={textLinkClass}>
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

/** Fees of each visit type, and the cancellation policy. */
export function FeesAndPolicy({ profile }: { profile: ProviderProfile }) {
  const { visitTypes } = profile
  const isOneOfSeveral = visitTypes.length > 1
  const rows = isOneOfSeveral
    ? visitTypes.flatMap((type) => feesOf(type, type.name))
    : feesOf(profileType(profile))
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

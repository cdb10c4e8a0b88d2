import { formatDay, formatDistance, languageName } from '#app/lib/format.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { Fees } from '#app/parts/fees.tsx'
import { Rating, VerifiedBadge, VisitModes } from '#app/parts/provider-badges.tsx'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import { SaveButton } from '#app/parts/save-button.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import type { Region } from '#contract/region.ts'
import type { ProviderProfile, VisitMode } from '#contract/search.ts'
import { locationOf, specialityOf } from './profile-search.ts'

type IdentityProps = {
  profile: ProviderProfile
  /** Miles from the place searched; null if unknown. */
  distance: number | null
}

/** The provider at a glance: picture, name, speciality, register, rating, place, fees, languages. */
export function Identity({ profile, distance }: IdentityProps) {
  const { registration } = profile
  return (
    <div className="@container flex flex-col gap-5">
      <div className="flex items-start gap-4 sm:gap-6 @max-[16rem]:flex-col">
        <ProviderPhoto name={profile.name} photo={profile.photo} size="large" isEager />
        <div className="min-w-0 flex-1">
          <h1 className="font-display text-2xl leading-tight font-medium wrap-anywhere sm:text-3xl">
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
        <div className="-mt-1.5 -mr-2 @max-[16rem]:order-first @max-[16rem]:self-end">
          <SaveButton providerId={profile.id} name={profile.name} />
        </div>
      </div>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)] [&_dt]:text-muted [&_dt]:max-sm:sr-only">
        <dt>Place</dt>
        <dd>
          {locationOf(profile)}
          {distance !== null && (
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
    bookingDetails?: SlotChoice & {
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
  return (
    <LinkButton
      to="/appointment/$doc_id"
      params={{ doc_id: id }}
      search={{ region, ...choice, distance, type, mode }}
      state={{ bookingDetails: { ...choice, distance, type, mode }, ...ownSearchState(ownSearch) }}
      size="large"
      className="w-full px-3! max-sm:text-base!"
    >
      Continue with {formatDay(choice.date, timeZone)}, {formatWallTime(choice.time, timeZone)}
    </LinkButton>
  )
}

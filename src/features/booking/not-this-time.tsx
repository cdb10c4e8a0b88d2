import type { Failure } from '#app/lib/errors.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { CheckoutFrame } from './checkout-frame.tsx'
import { NearestFree } from './nearest-free.tsx'
import { ProfileLink } from './profile-link.tsx'

type NotThisTimeProps = {
  profile: ProviderProfile
  failure: Failure
  wanted: SlotChoice
  timeZone: string
  onChoose: (choice: SlotChoice) => void
  onRetry: () => void
}

/** Refusals that are about the time itself: trying it again cannot help, another one can. */
const ABOUT_TIME = new Set<Failure['code']>([
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
  'provider_not_bookable',
  'date_invalid',
] satisfies ErrorCode[])

/** The time could not be held: why, and what else there is. */
export function NotThisTime(props: NotThisTimeProps) {
  const { profile, failure, wanted, timeZone, onChoose, onRetry } = props
  if (!ABOUT_TIME.has(failure.code)) {
    return (
      <CheckoutFrame title={`Book with ${profile.name}`}>
        <ErrorState
          title="We could not hold this time"
          sentence={failure.sentence}
          reference={failure.reference}
          actions={
            <>
              <Button onClick={onRetry}>Try again</Button>
              <LinkButton
                to="/doctor-profile/$id/$distance"
                params={{ id: profile.id, distance: '0' }}
                search={{ region: profile.region }}
                variant="secondary"
              >
                Back to {profile.name}
              </LinkButton>
            </>
          }
        />
      </CheckoutFrame>
    )
  }
  return (
    <CheckoutFrame title={failure.sentence} lead="Nothing is booked and nothing was charged.">
      <NearestFree
        providerId={profile.id}
        wanted={wanted}
        timeZone={timeZone}
        onChoose={onChoose}
      />
      <ProfileLink id={profile.id} region={profile.region} distance={null}>
        See all times with {profile.name}
      </ProfileLink>
    </CheckoutFrame>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { useCallback } from 'react'
import {
  choiceParamsOf,
  mainZoneOf,
  paramsOfChoice,
  type SlotChoice,
  type VisitParams,
  visitParamsOf,
} from '#app/lib/dates/slot-choice.ts'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { NearestFree } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { ErrorCode } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { Hold } from '#contract/booking.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { CheckoutFrame, ProfileLink } from './checkout-frame.tsx'

type TimeUnavailableProps = {
  profile: ProviderProfile
  failure: Failure
  wanted: SlotChoice
  asked: VisitParams
  timeZone: string
  onChoose: (choice: SlotChoice) => void
  onRetry: () => void
}

/** Errors about the time itself: retrying cannot help, another time can. */
export const TIME_ERROR_CODES: ReadonlySet<Failure['code']> = new Set<Failure['code']>([
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
  'provider_not_bookable',
  'date_invalid',
  'visit_type_not_offered',
] satisfies ErrorCode[])

/** Shown if the time could not be held: the reason and the alternatives. */
export function TimeUnavailable(props: TimeUnavailableProps) {
  const { profile, failure, wanted, asked, timeZone, onChoose, onRetry } = props
  if (!TIME_ERROR_CODES.has(failure.code)) {
    return (
      <CheckoutFrame title={`Book with ${profile.name}`}>
        <ErrorState
          title="We couldn’t hold this time"
          sentence={failure.sentence}
          reference={failure.reference}
          actions={
            <>
              {failure.code === 'too_many_coming' ? (
                <LinkButton to="/userProfile" hash="visits">
                  See your visits
                </LinkButton>
              ) : (
                <Button onClick={onRetry}>Try again</Button>
              )}
              <LinkButton
                to="/doctor-profile/$id/$distance"
                params={{ id: profile.id, distance: '0' }}
                search={{ region: profile.region, type: asked.type, mode: asked.mode }}
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
    <CheckoutFrame title={failure.sentence} lead="Nothing is booked, and you haven’t been charged.">
      {failure.code !== 'visit_type_not_offered' && (
        <NearestFree
          providerId={profile.id}
          typeId={asked.type}
          wanted={wanted}
          timeZone={timeZone}
          onChoose={onChoose}
        />
      )}
      <ProfileLink id={profile.id} region={profile.region} distance={null} asked={asked}>
        See all times with {profile.name}
      </ProfileLink>
    </CheckoutFrame>
  )
}

/** Shown on returning after payment or in another tab: the visit is booked. */
export function AlreadyBooked() {
  return (
    <CheckoutFrame
      isInterruption
      title="This visit is booked and paid for"
      lead="It’s in your visits, with the calendar file and directions."
    >
      <div className="flex justify-center">
        <LinkButton to="/userProfile" hash="visits" size="large">
          See your visits
        </LinkButton>
      </div>
    </CheckoutFrame>
  )
}

type OverlapDialogProps = {
  profile: ProviderProfile
  distance: string | undefined
  asked: VisitParams
  /** Names the patient's other visit at that time. */
  sentence: string
  onBook: () => void
}

/** Asks somebody who has another visit at that time whether they want this one as well. */
export function OverlapDialog({ profile, distance, asked, sentence, onBook }: OverlapDialogProps) {
  const router = useRouter()
  const goBack = () => {
    void router.navigate({
      to: '/doctor-profile/$id/$distance',
      params: { id: profile.id, distance: distance ?? '0' },
      search: { region: profile.region, type: asked.type, mode: asked.mode },
      hash: 'times',
      replace: true,
    })
  }
  return (
    <Dialog
      isOpen
      onClose={goBack}
      title="Two appointments at the same time?"
      footer={
        <>
          <Button onClick={onBook}>Book this one as well</Button>
          <Button variant="secondary" onClick={goBack}>
            Choose another time
          </Button>
        </>
      }
    >
      <p>{sentence} Book this one as well?</p>
    </Dialog>
  )
}

type HeldTimeProps = { hold: Hold; onLeave: () => void; isBusy: boolean }

function HeldTime({ hold, onLeave, isBusy }: HeldTimeProps) {
  const { provider, region, startsAt, timeZone, mainZone, distance } = hold
  const when = `${formatDay(dayOf(startsAt, timeZone), timeZone)}, ${formatTime(startsAt, timeZone)}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-4">
      <div>
        <p className="font-semibold">{provider.name}</p>
        <p className="tabular">{when}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton
          to="/appointment/$doc_id"
          params={{ doc_id: provider.id }}
          search={{
            region,
            ...choiceParamsOf(startsAt, mainZone),
            distance: distance ?? undefined,
            ...visitParamsOf(hold),
          }}
        >
          Finish
          <span className="sr-only">
            {' '}
            {provider.name}, {when}
          </span>
        </LinkButton>
        <Button variant="secondary" isBusy={isBusy} onClick={onLeave}>
          Let it go
          <span className="sr-only">
            {' '}
            {provider.name}, {when}
          </span>
        </Button>
      </div>
    </li>
  )
}

/** Shown at the limit of three holds: one must be finished or released first. */
export function HeldTimes({ onFreed }: { onFreed: () => void }) {
  return (
    <CheckoutFrame title="Finish another booking first" lead={errorMessage('too_many_holds')}>
      <DataBoundary
        failed="Your other bookings didn’t load"
        pending={<PendingShapes shapes={['h-48']} />}
      >
        <HeldList onFreed={onFreed} />
      </DataBoundary>
    </CheckoutFrame>
  )
}

function HeldList({ onFreed }: { onFreed: () => void }) {
  const utils = trpc.useUtils()
  const [holds] = trpc.booking.holds.useSuspenseQuery({}, { staleTime: 0 })
  const leave = trpc.payments.leave.useMutation({
    onSuccess: async ({ released }) => {
      await utils.booking.holds.invalidate()
      if (released) onFreed()
    },
  })
  const isKept = leave.data?.released === false
  return (
    <>
      <ul className="border-b border-line">
        {holds.map((hold) => (
          <HeldTime
            key={hold.id}
            hold={hold}
            isBusy={leave.isPending}
            onLeave={() => leave.mutate({ holdId: hold.id })}
          />
        ))}
      </ul>
      {(leave.error !== null || isKept) && (
        <p role="alert" className="font-medium text-danger">
          {isKept ? STILL_PAYING : describeFailure(leave.error).sentence}
        </p>
      )}
    </>
  )
}

/** Shown if a hold could not be released, as its payment may still succeed. */
const STILL_PAYING =
  'We couldn’t let this time go, because a payment for it may be on its way. Try again in a minute.'

/** Other URL parameters to keep. */
type PreservedParams = VisitParams & { distance?: string | undefined }

/**
 * Handles a time lost to somebody else: goes to the profile, which shows the documented message above the
 * nearest free times. The typed purpose is kept for the next attempt.
 */
export function useSlotTaken(profile: ProviderProfile, wanted: SlotChoice, asked: PreservedParams) {
  const client = useQueryClient()
  const router = useRouter()
  const { id, region } = profile
  const { date, time, fold } = paramsOfChoice(wanted, mainZoneOf(profile))
  const { distance, type, mode } = asked
  return useCallback(async () => {
    // What the cache holds still offers the time.
    client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
    await router.navigate({
      to: '/doctor-profile/$id/$distance',
      params: { id, distance: distance ?? '0' },
      search: { region, date, time, fold, type, mode },
      // Scrolls to the times with the message above them, which may be far down on phones.
      hash: 'times',
      state: { isSlotTaken: true },
      replace: true,
    })
  }, [client, router, id, region, date, time, fold, distance, type, mode])
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The time in the address was lost to somebody else. */
    isSlotTaken?: boolean
  }
}

import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useMedia, WIDE } from '#app/lib/browser-hooks.ts'
import {
  formatChoice,
  type SlotChoice,
  visitParamsOf,
  zoneOfChoice,
} from '#app/lib/dates/slot-choice.ts'
import { describeFailure, retryTransient } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { cancellationSentence, visitTypeText } from '#app/lib/visit-text.ts'
import { ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { usePlaceOfChoice } from '#app/parts/visits/use-place-of-time.ts'
import { Fact, FactList, VisitPlace, VisitTime } from '#app/parts/visits/visit-facts.tsx'
import { HoldStrip, NearestFree } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { Hold } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { CheckoutFrame, ProfileLink } from './checkout-frame.tsx'
import { type UpdateHold, useOnArrival } from './use-hold.ts'

type SummaryProps = {
  hold: Hold
  update: UpdateHold
  onOtherTime: () => void
  /** True while a request runs during which nothing may be pressed. */
  isBusy: boolean
}

function ProviderLine({ hold }: { hold: Hold }) {
  return (
    <div className="flex items-center gap-4">
      <ProviderPhoto name={hold.provider.name} photo={hold.provider.photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{hold.provider.name}</p>
        <p className="text-muted">{hold.provider.specialty}</p>
      </div>
    </div>
  )
}

function HoldFacts({ hold, className = '' }: { hold: Hold; className?: string }) {
  const fee = hold.fees[hold.typeOfVisit]
  return (
    <FactList className={className}>
      <Fact name="When">
        <VisitTime visit={hold} />
      </Fact>
      <Fact name="Where">
        <VisitPlace visit={hold} />
      </Fact>
      <Fact name="Fee">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          {visitTypeText(hold)}
          <span className="tabular text-lg font-semibold">{formatExactMoney(fee)}</span>
        </span>
      </Fact>
      <Fact name="If you cancel">{cancellationSentence(hold, hold.typeOfVisit, fee)}</Fact>
    </FactList>
  )
}

function OtherTimeButton({ onOtherTime, isBusy }: Pick<SummaryProps, 'onOtherTime' | 'isBusy'>) {
  return (
    <Button variant="quiet" className="-mx-4" disabled={isBusy} onClick={onOtherTime}>
      Choose another time
    </Button>
  )
}

function WideSummary({ hold, update, onOtherTime, isBusy }: SummaryProps) {
  return (
    <div className="sticky top-4 overflow-hidden rounded-card border border-line bg-surface">
      <HoldClock hold={hold} update={update} isBusy={isBusy} className="px-6" />
      <div className="flex flex-col gap-5 p-6">
        <ProviderLine hold={hold} />
        <HoldFacts
          hold={hold}
          className="border-t border-line pt-5 [&>div]:block! [&_dt]:text-sm"
        />
        <div className="border-t border-line pt-3">
          <OtherTimeButton onOtherTime={onOtherTime} isBusy={isBusy} />
        </div>
      </div>
    </div>
  )
}

function NarrowSummary({ hold, update, onOtherTime, isBusy }: SummaryProps) {
  const { startsAt, timeZone } = hold
  return (
    <>
      <HoldClock
        hold={hold}
        update={update}
        isBusy={isBusy}
        className="sticky top-0 z-10 -mx-4 border-b border-line sm:-mx-6 sm:px-6"
      />
      <div className="mt-4 rounded-card border border-line bg-surface">
        <div className="flex flex-col gap-3 p-4">
          <ProviderLine hold={hold} />
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="tabular font-semibold">
              {formatDay(dayOf(startsAt, timeZone), timeZone)}, {formatTime(startsAt, timeZone)}
            </span>
            <span className="tabular font-semibold">
              {formatExactMoney(hold.fees[hold.typeOfVisit])}
            </span>
          </p>
        </div>
        <details className="group border-t border-line">
          <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-4 font-medium text-brand-deep [&::-webkit-details-marker]:hidden">
            Place, fee and cancelling
            <ChevronDown
              aria-hidden="true"
              className="size-5 transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <div className="flex flex-col gap-3 px-4 pb-3">
            <HoldFacts hold={hold} />
            <OtherTimeButton onOtherTime={onOtherTime} isBusy={isBusy} />
          </div>
        </details>
      </div>
    </>
  )
}

/** Summary next to every step: provider, place, time, fee and cancellation terms. */
export function HoldSummary(props: SummaryProps) {
  const isWide = useMedia(WIDE)
  return (
    // On phones the countdown is sticky, so its parent must be the page itself.
    <aside aria-label="Your appointment" className="max-lg:contents">
      <h2 className="sr-only">Your appointment</h2>
      {isWide ? <WideSummary {...props} /> : <NarrowSummary {...props} />}
    </aside>
  )
}

type ChoiceSummaryProps = { profile: ProviderProfile; choice: SlotChoice; timeZone: string }

/** Provider and time before there is a hold, to return to after signing in. */
export function ChoiceSummary({ profile, choice, timeZone }: ChoiceSummaryProps) {
  const where = usePlaceOfChoice(profile, choice)
  return (
    <div className="flex items-center gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <ProviderPhoto name={profile.name} photo={profile.photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{profile.name}</p>
        <p className="tabular font-semibold">
          {formatDay(choice.date, timeZone, 'long')}, {formatChoice(choice, timeZone)}
        </p>
        <p className="text-sm text-muted">
          {zoneOfChoice(choice, timeZone)}
          {where !== null && `, ${where}`}
        </p>
      </div>
    </div>
  )
}

type HoldClockProps = Omit<SummaryProps, 'onOtherTime'> & { className?: string }

/** "Held for you 9:42", and one renewal. Announced when there are 5, 2 and 1 minutes left. */
function HoldClock({ hold, update, isBusy, className }: HoldClockProps) {
  const timer = useRef<HTMLParagraphElement>(null)
  const renew = trpc.booking.renew.useMutation({
    onSuccess: async ({ holdUntil, canRenew }) => {
      // The pressed button is about to go.
      timer.current?.focus({ preventScroll: true })
      await update((now) => ({ ...now, holdUntil, canRenew }))
    },
  })
  return (
    <HoldStrip
      holdUntil={hold.holdUntil}
      timerRef={timer}
      className={className}
      announce={renew.isSuccess ? 'Your hold is extended.' : undefined}
      hint={hold.canRenew ? 'You can extend it once.' : undefined}
    >
      {hold.canRenew && (
        <button
          type="button"
          disabled={isBusy}
          aria-disabled={renew.isPending || undefined}
          onClick={() => !renew.isPending && renew.mutate({ holdId: hold.id })}
          className="-mr-2 ml-auto inline-flex min-h-9 items-center rounded-field px-2 font-semibold underline decoration-1 underline-offset-[0.2em] hover:decoration-2 disabled:opacity-60 pointer-coarse:min-h-11"
        >
          Keep it longer
        </button>
      )}
      {renew.error && (
        <p role="alert" className="basis-full pb-1 text-sm font-medium text-danger">
          {describeFailure(renew.error).sentence}
        </p>
      )}
    </HoldStrip>
  )
}

class StillPayingError extends Error {
  override readonly name = 'StillPayingError'
}

/**
 * How the hold ended. `leave` rules out a late payment; if that is no longer possible, a payment has just
 * succeeded or is in progress, which is asked about again until it is over.
 */
function useHoldEnd({ id: holdId }: Hold) {
  const { client } = trpc.useUtils()
  const leaving = useMutation({
    mutationFn: async (): Promise<'released' | 'booked'> => {
      const { released } = await client.payments.leave.mutate({ holdId })
      if (released) return 'released'
      const { state } = await client.booking.current.query({ holdId })
      if (state === 'held') throw new StillPayingError()
      return state === 'confirmed' ? 'booked' : 'released'
    },
    retry: (failures, error) =>
      error instanceof StillPayingError ? failures < POLL_TRIES : retryTransient(failures, error),
    retryDelay: POLL_MS,
  })
  useOnArrival(() => leaving.mutate(), leaving.isError)
  return { end: leaving.data, isUnsure: leaving.failureReason !== null }
}

type HoldExpiredProps = {
  hold: Hold
  wanted: SlotChoice
  onChoose: (choice: SlotChoice) => void
  /** Called if the payment turns out to have arrived in time. */
  onBooked: () => void
}

/** Shown after the hold expired: what that means, and three other times. */
export function HoldExpired({ hold, wanted, onChoose, onBooked }: HoldExpiredProps) {
  const utils = trpc.useUtils()
  const { end, isUnsure } = useHoldEnd(hold)
  useEffect(() => {
    if (end === 'booked') onBooked()
    // The time is free again, so the list is refetched.
    if (end === 'released') void utils.availability.freeTimes.invalidate()
  }, [end, onBooked, utils])
  const isKnown = end !== undefined || isUnsure
  return (
    <CheckoutFrame
      isInterruption
      title="Your hold has ended"
      lead={
        <p role="status">
          {end === 'released' && 'You haven’t been charged, and we’ve kept what you wrote.'}
          {!isKnown && 'Making sure you aren’t charged…'}
        </p>
      }
    >
      {isUnsure && (
        <Notice kind="info" role="status" title="A payment may be on its way">
          <p>
            If it goes through, the visit is yours and we’ll email you. If not, you won’t be
            charged. Don’t pay again for this time.
          </p>
        </Notice>
      )}
      {isKnown ? (
        <NearestFree
          providerId={hold.provider.id}
          typeId={hold.typeId ?? undefined}
          wanted={wanted}
          timeZone={hold.mainZone}
          onChoose={onChoose}
        />
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
      <ProfileLink
        id={hold.provider.id}
        region={hold.region}
        distance={hold.distance}
        asked={visitParamsOf(hold)}
      >
        See all times
      </ProfileLink>
    </CheckoutFrame>
  )
}

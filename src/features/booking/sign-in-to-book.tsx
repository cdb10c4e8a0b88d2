import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { Clock } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useWhenReached } from '#app/lib/dates/server-clock.ts'
import { type SlotChoice, slotTimeOf } from '#app/lib/dates/slot-choice.ts'
import { describeFailure, type Failure, retryTransient } from '#app/lib/errors.ts'
import { needsRobotCheck, RobotCheck } from '#app/parts/visits/robot-check.tsx'
import { HeldForVisitor, NearestFree } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import type { ErrorCode } from '#contract/base/errors.ts'
import type { ProviderProfile, VisitMode } from '#contract/search.ts'
import { CheckoutFrame, ProfileLink } from './checkout-frame.tsx'
import { TIME_ERROR_CODES, TimeUnavailable, useSlotTaken } from './time-unavailable.tsx'
import { useOnArrival } from './use-hold.ts'

type SignInToBookProps = {
  profile: ProviderProfile
  choice: SlotChoice
  distance: string | undefined
  type: string | undefined
  mode: VisitMode | undefined
  timeZone: string
  onChoose: (choice: SlotChoice) => void
  /** Provider and time, shown while there is no hold. */
  children: ReactNode
}

/** Errors from limits on visitors: the time is held once they have signed in. */
const VISITOR_LIMIT_CODES = new Set<Failure['code']>([
  'rate_limited',
  'captcha_required',
  'captcha_invalid',
] satisfies ErrorCode[])

/** Creates or finds a visitor's hold. */
function useCreateVisitorHold({ profile, choice, distance, type, mode }: SignInToBookProps) {
  const { booking } = trpc.useUtils()
  const {
    data: hold,
    error,
    mutate,
    isError,
  } = trpc.booking.holdAsVisitor.useMutation({
    retry: retryTransient,
    onSuccess: (held) => booking.visitorHold.setData({}, held),
  })
  const about = { ...(distance !== undefined && { distance }), typeId: type, mode }
  const take = (captchaValue?: string) =>
    mutate({
      providerId: profile.id,
      ...slotTimeOf(choice),
      ...about,
      ...(captchaValue !== undefined && { captchaValue }),
    })
  useOnArrival(() => take(), isError)
  return { hold, error, take }
}

/** Releases the hold and returns to the profile, where the time can be chosen again. */
function OtherTimeButton(props: Pick<SignInToBookProps, 'profile' | 'distance' | 'type' | 'mode'>) {
  const { profile, distance, type, mode } = props
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  const leave = useMutation({
    mutationFn: () => utils.client.booking.leaveAsVisitor.mutate({}),
    // If releasing fails, the hold expires by itself, so the navigation does not depend on it.
    onSettled: async () => {
      client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: profile.id, distance: distance ?? '0' },
        search: { region: profile.region, type, mode },
        hash: 'times',
      })
    },
  })
  return (
    <Button variant="quiet" isBusy={leave.isPending} onClick={() => leave.mutate()}>
      Choose another time
    </Button>
  )
}

function SignInLinks() {
  // URL of this page, to return to.
  const search = { next: useRouterState({ select: ({ location }) => location.href }) }
  return (
    <div className="flex flex-wrap justify-center gap-3">
      <LinkButton to="/register" search={search} size="large">
        Register as a patient
      </LinkButton>
      <LinkButton to="/sign-in" search={search} size="large" variant="secondary">
        Sign in
      </LinkButton>
    </div>
  )
}

/** Asks visitors to sign in or register, holding the time meanwhile; afterwards they return here. */
export function SignInToBook(props: SignInToBookProps) {
  const { profile, choice, distance, timeZone, onChoose, children } = props
  const [isOver, setIsOver] = useState(false)
  const { hold, error, take } = useCreateVisitorHold(props)
  useWhenReached(isOver ? undefined : hold?.holdUntil, () => setIsOver(true))
  const slotTaken = useSlotTaken(profile, choice, props)
  const failure = error === null ? null : describeFailure(error)
  const isTaken = failure?.code === 'slot_taken'
  useEffect(() => {
    if (isTaken) void slotTaken()
  }, [isTaken, slotTaken])
  if (isOver) {
    return (
      <CheckoutFrame
        isInterruption
        title="Your hold has ended"
        lead="Choose a time and we’ll hold it for another 15 minutes."
      >
        <NearestFree
          providerId={profile.id}
          typeId={props.type}
          wanted={choice}
          timeZone={timeZone}
          onChoose={onChoose}
        />
        <ProfileLink id={profile.id} region={profile.region} distance={distance} asked={props}>
          See all times
        </ProfileLink>
      </CheckoutFrame>
    )
  }
  if (failure !== null && TIME_ERROR_CODES.has(failure.code)) {
    return (
      <TimeUnavailable
        profile={profile}
        failure={failure}
        wanted={choice}
        asked={props}
        timeZone={timeZone}
        onChoose={onChoose}
        onRetry={() => take()}
      />
    )
  }
  const isWaiting = hold === undefined && (failure === null || isTaken)
  return (
    <CheckoutFrame
      title="Sign in to book this time"
      lead={
        failure === null
          ? 'We’ll hold it for 15 minutes while you register or sign in.'
          : leadFor(failure)
      }
    >
      {hold === undefined ? (
        <div>
          {isWaiting && (
            <p
              role="status"
              className="flex min-h-11 items-center gap-x-3 rounded-t-card border border-b-0 border-line bg-tint px-4 font-medium text-brand-deep [&+*]:rounded-t-none"
            >
              <Clock aria-hidden="true" className="size-5 shrink-0" />
              Holding your time …
            </p>
          )}
          {children}
        </div>
      ) : (
        <HeldForVisitor hold={hold} />
      )}
      {needsRobotCheck(failure) && <RobotCheck failure={failure} onSolved={take} />}
      <div className="flex flex-col items-center gap-4">
        <SignInLinks />
        <OtherTimeButton
          profile={profile}
          distance={distance}
          type={props.type}
          mode={props.mode}
        />
      </div>
    </CheckoutFrame>
  )
}

/**
 * Shown if the session ended within the checkout. The time stays held for the account, so that holding it for a visitor
 * would find it taken.
 */
export function SignInAgain({ children }: { children: ReactNode }) {
  const next = useRouterState({ select: ({ location }) => location.href })
  return (
    <CheckoutFrame
      isInterruption
      title="Sign in to book this time"
      lead="Your session has ended. Please sign in again."
    >
      {children}
      <div className="flex justify-center">
        <LinkButton to="/sign-in" search={{ next }} size="large">
          Sign in
        </LinkButton>
      </div>
    </CheckoutFrame>
  )
}

function leadFor({ code, sentence }: Failure): string {
  if (VISITOR_LIMIT_CODES.has(code)) return 'Once you’re signed in, we’ll hold it for 15 minutes.'
  return `We couldn’t hold it for you yet. ${sentence}`
}

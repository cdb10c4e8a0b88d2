import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import {
  choiceOfParams,
  formatChoice,
  mainZoneOf,
  type SlotChoice,
  slotTimeOf,
} from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { LoadFailure } from '#app/parts/data-boundary.tsx'
import { useSignOut } from '#app/parts/sign-out.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { needsRobotCheck, RobotCheck } from '#app/parts/visits/robot-check.tsx'
import { Button } from '#app/ui/button.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import { CheckoutFrame, CheckoutPending, ProfileLink } from './checkout-frame.tsx'
import { type CheckoutPageProps, CheckoutSteps } from './checkout-steps.tsx'
import { ChoiceSummary, HoldExpired } from './hold-summary.tsx'
import { SignInAgain, SignInToBook } from './sign-in-to-book.tsx'
import {
  AlreadyBooked,
  HeldTimes,
  OverlapDialog,
  TimeUnavailable,
  useSlotTaken,
} from './time-unavailable.tsx'
import { useHold, useHoldOver } from './use-hold.ts'
import { offeredMode } from './visit-mode-choice.tsx'

/** `/appointment/{doc_id}`: checks who may book, then shows the three steps for the time in the URL. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { profile, search } = props
  const { date, time, fold } = search
  if (date === undefined || time === undefined) {
    return (
      <CheckoutFrame title="Choose a time first" lead={`See when ${profile.name} is free.`}>
        <ProfileLink
          id={profile.id}
          region={profile.region}
          distance={search.distance}
          asked={search}
        >
          See free times
        </ProfileLink>
      </CheckoutFrame>
    )
  }
  const choice = choiceOfParams({ date, time, fold }, mainZoneOf(profile))
  return <PatientCheckout {...props} choice={choice} />
}

function PatientCheckout(props: CheckoutPageProps & { choice: SlotChoice }) {
  const { profile, choice } = props
  const isSignedIn = useSignedInUser() !== null
  const { data: me, error, refetch } = useMe()
  // Choosing the same time again after its hold ended counts as a new attempt.
  const [tries, setTries] = useState(0)
  const timeZone = mainZoneOf(profile)
  const mode = offeredMode(profile, props.search)
  const facts: ReactNode = <ChoiceSummary profile={profile} choice={choice} timeZone={timeZone} />
  const chooseAgain = (next: SlotChoice) => {
    setTries(tries + 1)
    props.onChoose(next)
  }
  const attempt = `${choice.date} ${formatChoice(choice, timeZone)} ${props.search.type} ${tries}`
  // The attempt whose time is held for the patient's account.
  const [begun, setBegun] = useState<string | null>(null)
  if (me?.kind === 'patient' && begun !== attempt) setBegun(attempt)
  if (!isSignedIn || me === null) {
    if (begun === attempt) return <SignInAgain>{facts}</SignInAgain>
    return (
      <SignInToBook
        key={attempt}
        profile={profile}
        choice={choice}
        distance={props.search.distance}
        type={props.search.type}
        mode={mode}
        timeZone={timeZone}
        onChoose={chooseAgain}
      >
        {facts}
      </SignInToBook>
    )
  }
  if (me === undefined && error) {
    return (
      <CheckoutFrame title={`Book with ${profile.name}`}>
        <LoadFailure
          title="The checkout didn’t load"
          error={error}
          onRetry={() => void refetch()}
        />
      </CheckoutFrame>
    )
  }
  if (me === undefined) {
    return (
      <CheckoutPending
        profile={profile}
        choice={choice}
        timeZone={timeZone}
        type={props.search.type}
        step={props.search.step ?? 1}
      />
    )
  }
  if (me.kind !== 'patient') return <PatientsOnly>{facts}</PatientsOnly>
  return (
    <HeldCheckout
      key={attempt}
      {...props}
      userId={me.user_id}
      timeZone={timeZone}
      onChoose={chooseAgain}
    />
  )
}

/** Shown to providers and staff, who cannot book; the same person may also have a patient account. */
function PatientsOnly({ children }: { children: ReactNode }) {
  const here = useRouterState({ select: ({ location }) => location.href })
  const signOut = useSignOut({ next: here })
  return (
    <CheckoutFrame
      title={errorMessage('patients_only')}
      lead="You’re signed in with an account that can’t book visits. Patients have an account of their own, which can use the same email address."
    >
      {children}
      <div className="flex justify-center">
        <Button size="large" isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
          Log out and sign in as a patient
        </Button>
      </div>
    </CheckoutFrame>
  )
}

type HeldCheckoutProps = Omit<CheckoutPageProps, 'onChoose'> & {
  userId: string
  choice: SlotChoice
  timeZone: string
  onChoose: (choice: SlotChoice) => void
}

/** Creates or finds the hold and shows its outcome. */
function HeldCheckout(props: HeldCheckoutProps) {
  const { profile, search, choice, timeZone, onChoose, onBooked } = props
  const [isOver, setIsOver] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const { distance, type: typeId } = search
  const mode = offeredMode(profile, search)
  const wanted = { ...slotTimeOf(choice), providerId: profile.id, distance, typeId, mode }
  const { hold, error, take, refetch, update } = useHold(wanted, isOver)
  useHoldOver(hold, !isPaying && !isOver, () => setIsOver(true))
  const slotTaken = useSlotTaken(profile, choice, search)
  const failure = error === null ? null : describeFailure(error)
  const isTaken = failure?.code === 'slot_taken'
  useEffect(() => {
    if (isTaken) void slotTaken()
  }, [isTaken, slotTaken])

  // Another tab may have paid while this one was away.
  const isPaid = failure?.code === 'hold_paid' || hold?.state === 'confirmed'
  if (isPaid && !isPaying) return <AlreadyBooked />
  if (hold === undefined || isTaken) {
    if (failure?.code === 'too_many_holds') return <HeldTimes onFreed={() => take()} />
    const isOverlap = failure?.code === 'visits_overlap'
    if (failure === null || isTaken || isOverlap) {
      return (
        <>
          <CheckoutPending
            profile={profile}
            choice={choice}
            timeZone={timeZone}
            type={search.type}
            step={search.step ?? 1}
          />
          {isOverlap && (
            <OverlapDialog
              profile={profile}
              distance={distance}
              asked={search}
              sentence={failure.sentence}
              onBook={() => take({ overlapOk: true })}
            />
          )}
        </>
      )
    }
    if (needsRobotCheck(failure)) {
      return (
        <CheckoutFrame isInterruption title="One check before we hold your time">
          <ChoiceSummary profile={profile} choice={choice} timeZone={timeZone} />
          <RobotCheck failure={failure} onSolved={(captchaValue) => take({ captchaValue })} />
        </CheckoutFrame>
      )
    }
    return (
      <TimeUnavailable
        profile={profile}
        failure={failure}
        wanted={choice}
        asked={search}
        timeZone={timeZone}
        onChoose={onChoose}
        onRetry={() => take()}
      />
    )
  }
  if (isOver || hold.state === 'released') {
    return (
      <HoldExpired
        hold={hold}
        wanted={choice}
        onChoose={onChoose}
        onBooked={() => onBooked(hold.id)}
      />
    )
  }
  return (
    <CheckoutSteps
      {...props}
      hold={hold}
      mode={mode}
      update={update}
      isPaying={isPaying}
      payment={{
        hold,
        onPaying: setIsPaying,
        onBooked,
        onTaken: () => void slotTaken(),
        onHoldOver: () => setIsOver(true),
        onStale: () => void refetch(),
      }}
    />
  )
}

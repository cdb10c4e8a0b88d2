import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { useMe } from '#app/parts/use-me.ts'
import { useSignOut } from '#app/parts/use-sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/empty-state.tsx'
import type { ProviderProfile, VisitMode } from '#contract/search.ts'
import { errorMessage } from '#contract/sentences.ts'
import { CheckoutFrame, CheckoutPending } from './checkout-frame.tsx'
import { HeldCheckout, type RenderPayment } from './held-checkout.tsx'
import { ChoiceSummary } from './hold-summary.tsx'
import { ProfileLink } from './profile-link.tsx'
import { SignInToBook } from './sign-in-to-book.tsx'
import type { Step } from './step-frame.tsx'
import { offeredMode } from './visit-mode-choice.tsx'

export type CheckoutPageProps = {
  profile: ProviderProfile
  search: {
    date?: string | undefined
    time?: string | undefined
    distance?: string | undefined
    type?: string | undefined
    mode?: VisitMode | undefined
    step?: Step | undefined
  }
  onStep: (step: Step) => void
  onChoose: (choice: SlotChoice) => void
  /** Called when the user changes the mode of the visit. */
  onMode: (mode: VisitMode) => void
  /** Called once the visit is booked. */
  onBooked: (visitId: string) => void
  /** The payment buttons, from another feature module. */
  renderPayment: RenderPayment
}

/** `/appointment/{doc_id}`: checks who may book, then shows the three steps for the time in the URL. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { profile, search } = props
  const { date, time } = search
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
  return <PatientCheckout {...props} choice={{ date, time }} />
}

function PatientCheckout(props: CheckoutPageProps & { choice: SlotChoice }) {
  const { profile, choice } = props
  const isSignedIn = useSignedInUser() !== null
  const { data: me, error, refetch } = useMe()
  // Choosing the same time again after its hold ended counts as a new attempt.
  const [tries, setTries] = useState(0)
  const timeZone = profile.places[0]?.timeZone ?? 'Europe/London'
  const mode = offeredMode(profile, props.search)
  const facts: ReactNode = <ChoiceSummary profile={profile} choice={choice} timeZone={timeZone} />
  const chooseAgain = (next: SlotChoice) => {
    setTries(tries + 1)
    props.onChoose(next)
  }
  if (!isSignedIn || me === null) {
    return (
      <SignInToBook
        key={`${choice.date} ${choice.time} ${props.search.type} ${tries}`}
        profile={profile}
        choice={choice}
        distance={props.search.distance}
        type={props.search.type}
        mode={mode}
        timeZone={timeZone}
        attempt={tries}
        onChoose={chooseAgain}
      >
        {facts}
      </SignInToBook>
    )
  }
  if (me === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <CheckoutFrame title={`Book with ${profile.name}`}>
        <ErrorState
          title="The checkout didn’t load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
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
      {...props}
      key={`${choice.date} ${choice.time} ${props.search.type} ${tries}`}
      attempt={tries}
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

import { CalendarClock, Check, Clock } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatChoice, type SlotChoice, type VisitParams } from '#app/lib/dates/slot-choice.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { MessagePage } from '#app/parts/message-page.tsx'
import { ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { Container, PageTitle, Skeleton } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { Region } from '#contract/base/region.ts'
import type { ProviderProfile } from '#contract/search.ts'

type CheckoutFrameProps = Pick<
  ComponentProps<typeof MessagePage>,
  'title' | 'lead' | 'children' | 'isInterruption'
>

/** A checkout page outside the steps: a heading, what happened, and links to continue. */
export function CheckoutFrame(props: CheckoutFrameProps) {
  return (
    <>
      <PageTitle title={props.title} />
      <MessagePage icon={CalendarClock} {...props} />
    </>
  )
}

type CheckoutPendingProps = {
  /** Visit type from the URL; the provider's first one when omitted. */
  type: string | undefined
  profile: ProviderProfile
  choice: SlotChoice
  timeZone: string
  step: Step
}

/** Provider, time and fee as known from the public profile; the rest comes with the hold. */
function PendingSummary({ profile, choice, timeZone, type }: Omit<CheckoutPendingProps, 'step'>) {
  const { fee } = profile.visitTypes.find(({ id }) => id === type) ?? profile
  return (
    <div className="mt-4 rounded-card border border-line bg-surface lg:mt-0 lg:rounded-t-none lg:border-t-0 lg:p-6">
      <div className="flex flex-col gap-3 max-lg:p-4">
        <div className="flex items-center gap-4">
          <ProviderPhoto name={profile.name} photo={profile.photo} size="small" isEager />
          <div className="min-w-0">
            <p className="font-display text-lg leading-tight font-medium">{profile.name}</p>
            <p className="text-muted">{profile.specialty.name}</p>
          </div>
        </div>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 lg:mt-2 lg:border-t lg:border-line lg:pt-5">
          <span className="tabular font-semibold">
            {formatDay(choice.date, timeZone)}, {formatChoice(choice, timeZone)}
          </span>
          <span className="tabular font-semibold">{formatExactMoney(fee)}</span>
        </p>
      </div>
      <div className="flex h-11 items-center border-t border-line px-4 lg:hidden">
        <Skeleton className="h-4 w-52" />
      </div>
      <div className="mt-5 flex flex-col gap-4 max-lg:hidden">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-10 w-48" />
      </div>
    </div>
  )
}

/** The checkout while the hold is being created, with everything known already in its final place. */
export function CheckoutPending({ step, ...asked }: CheckoutPendingProps) {
  return (
    <Container className="pb-6 lg:py-10">
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-12">
        <aside aria-label="Your appointment" className="max-lg:contents lg:order-2">
          <p
            role="status"
            className="flex min-h-11 items-center gap-x-3 bg-tint px-4 py-1 font-medium text-brand-deep max-lg:-mx-4 max-lg:box-content max-lg:min-h-9 max-lg:border-b max-lg:border-line max-lg:sm:-mx-6 max-lg:sm:px-6 lg:rounded-t-card lg:border lg:border-b-0 lg:border-line lg:px-6"
          >
            <Clock aria-hidden="true" className="size-5 shrink-0" />
            Holding your time …
          </p>
          <PendingSummary {...asked} />
        </aside>
        <div aria-busy="true" className="min-w-0 max-lg:mt-6">
          <StepFrame step={step}>
            <div className="flex flex-col gap-8">
              <Skeleton className="h-40 w-full rounded-card" />
              <Skeleton className="h-40 w-full rounded-card" />
              {step === 1 && <p className="max-w-prose text-muted">{PAY_LATER}</p>}
              <Skeleton className="h-13 w-full" />
            </div>
          </StepFrame>
        </div>
      </div>
    </Container>
  )
}

export type Step = 1 | 2 | 3

/** Names and titles of the steps (specification, section 2). */
const steps = [
  { step: 1, name: 'Appointment Info', title: 'Appointment Info' },
  { step: 2, name: 'Medical Concern', title: 'Purpose of your visit' },
  { step: 3, name: 'OTP verification', title: 'Confirmation' },
] as const

/** Shown below the payment methods, before and during the hold. */
export const PAY_LATER =
  'You pay at the end, once you have confirmed a code that we email you. You won’t be charged until then.'

function Progress({ current }: { current: Step }) {
  return (
    <>
      <ol aria-label="Steps" className="grid grid-cols-3 gap-2 sm:gap-3">
        {steps.map(({ step, name }) => (
          <li
            key={step}
            aria-current={step === current ? 'step' : undefined}
            className={cx(
              'flex items-center gap-1.5 border-t-4 text-sm leading-tight sm:pt-2',
              step <= current ? 'border-brand' : 'border-line',
              step === current ? 'font-semibold' : 'text-muted',
            )}
          >
            {step < current && (
              <Check
                aria-hidden="true"
                className="stroke-[2.5] size-4 shrink-0 text-brand max-sm:hidden"
              />
            )}
            <span className="max-sm:sr-only">
              <span className="sr-only">
                Step {step}
                {step < current ? ', done' : ''}:{' '}
              </span>
              {name}
            </span>
          </li>
        ))}
      </ol>
      {/* For phones, where three names do not fit; screen readers get them from the list. */}
      <p aria-hidden="true" className="mt-2 text-sm text-muted sm:hidden">
        Step {current} of 3: {steps[current - 1]?.name}
      </p>
    </>
  )
}

type StepFrameProps = { step: Step; children: ReactNode }

/** Frame of a step with its documented title, which takes focus when the step changes. */
export function StepFrame({ step, children }: StepFrameProps) {
  const title = steps[step - 1]?.title ?? ''
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <>
      <PageTitle title={`${title}, step ${step} of 3`} />
      <Progress current={step} />
      <h1 ref={heading} tabIndex={-1} className="mt-4 text-2xl font-semibold sm:mt-6 sm:text-3xl">
        {title}
      </h1>
      <div className="mt-5 sm:mt-6">{children}</div>
    </>
  )
}

/** Next and Back at the end of a step: Next comes first on phones and last on wide screens. */
export function StepActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse items-center justify-between gap-3 border-t border-line pt-6 max-sm:[&>*]:w-full">
      {children}
    </div>
  )
}

type ProfileLinkProps = {
  id: string
  region: Region
  distance: string | null | undefined
  /** What the visit is about, and how it takes place. */
  asked: VisitParams
  children: ReactNode
}

/** Link back to the provider's profile with all free times. */
export function ProfileLink({ id, region, distance, asked, children }: ProfileLinkProps) {
  const state = ownSearchState(useOwnSearch())
  return (
    <div className="flex justify-center">
      <LinkButton
        to="/doctor-profile/$id/$distance"
        params={{ id, distance: distance ?? '0' }}
        search={{ region, type: asked.type, mode: asked.mode }}
        state={state}
        hash="times"
        variant="secondary"
      >
        {children}
      </LinkButton>
    </div>
  )
}

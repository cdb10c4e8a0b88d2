import { CalendarClock, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDay } from '#app/lib/format.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { MessagePage } from '#app/parts/message-page.tsx'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatExactMoney } from '#contract/money.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { PAY_LATER, type Step, StepFrame } from './step-frame.tsx'

type CheckoutFrameProps = { title: string; lead?: ReactNode; children?: ReactNode }

/** A checkout page outside the steps: a heading, what happened, and links to continue. */
export function CheckoutFrame({ title, lead, children }: CheckoutFrameProps) {
  return (
    <>
      <PageTitle title={title} />
      <MessagePage icon={CalendarClock} title={title} lead={lead}>
        {children}
      </MessagePage>
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
            {formatDay(choice.date, timeZone)}, {formatWallTime(choice.time, timeZone)}
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

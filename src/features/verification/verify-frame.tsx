import { useLocation } from '@tanstack/react-router'
import { BadgeCheck, Check, Mail, UserRoundCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { useSignOut } from '#app/parts/sign-out.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { ErrorState, Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { AnswerInput, type OwnVerification, type RequestAbout } from '#contract/verification.ts'
import { DocumentField } from './document-field.tsx'
import { STEPS, useStoreVerification, type VerifyStep } from './verdict.ts'

type StepperProps = { current: VerifyStep; done: readonly VerifyStep[] }

/** The current step; not interactive, as the pages themselves lead on. */
function Stepper({ current, done }: StepperProps) {
  return (
    <ol aria-label="Steps" className="flex items-center gap-1.5 text-sm sm:gap-3">
      {STEPS.map((step, at) => {
        const isDone = done.includes(step)
        const isCurrent = step === current
        return (
          <li
            key={step}
            aria-current={isCurrent ? 'step' : undefined}
            className={cx('flex items-center gap-1.5 sm:gap-3', at < STEPS.length - 1 && 'flex-1')}
          >
            <span
              className={cx(
                'flex items-center gap-1.5 font-semibold sm:gap-2',
                isCurrent ? 'text-ink' : 'text-muted',
              )}
            >
              <span
                aria-hidden="true"
                className={cx(
                  'tabular flex size-6 shrink-0 sm:size-7 items-center justify-center rounded-full border',
                  isCurrent && 'border-transparent bg-brand text-on-brand',
                  !isCurrent && isDone && 'border-transparent bg-tint text-brand-deep',
                  !isCurrent && !isDone && 'border-field',
                )}
              >
                {isDone ? <Check className="stroke-[2.5] size-4" /> : at + 1}
              </span>
              {step}
              {isDone && <span className="sr-only">, done</span>}
            </span>
            {at < STEPS.length - 1 && (
              <span aria-hidden="true" className="h-px min-w-1.5 flex-1 bg-line" />
            )}
          </li>
        )
      })}
    </ol>
  )
}

type VerifyFrameProps = StepperProps & {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** Shown below the card, less prominently. */
  below?: ReactNode
}

/** A step of a provider's verification: the progress, what to do, and the way on. */
export function VerifyFrame({ current, done, title, lead, children, below }: VerifyFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // After a change of step, the new heading takes focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className="flex flex-col gap-6">
      <Stepper current={current} done={done} />
      <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        <PageTitle title={title} />
        <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
          {title}
        </h1>
        {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
        <div className="mt-6 flex flex-col gap-6">{children}</div>
      </div>
      {below}
    </div>
  )
}

/** Why the verification cannot be shown to this user, with the way on. */
export function NoAccess(failure: LoadFailureProps) {
  const next = useLocation({ select: ({ href }) => href })
  const signOut = useSignOut({ as: 'provider', next })
  const { code, sentence } = describeFailure(failure.error)
  if (code === 'forbidden') {
    return (
      <ErrorState
        title="This page is for providers"
        sentence="You’re signed in with a different kind of account. Providers have a separate account, even with the same email address."
        reference={null}
        actions={
          <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
            Log out and sign in as a provider
          </Button>
        }
      />
    )
  }
  if (code === 'sign_in_required' || code === 'session_ended') {
    return (
      <ErrorState
        title="Sign in to continue"
        sentence={sentence}
        reference={null}
        actions={
          <LinkButton to="/sign-in" search={{ as: 'provider', next }}>
            Sign in
          </LinkButton>
        }
      />
    )
  }
  if (code === 'second_factor_setup_required') {
    return (
      <ErrorState
        title="Set up your authenticator app first"
        sentence="You can start verification once you’ve turned on two-step sign-in."
        reference={null}
        actions={
          <LinkButton to="/userProfile" hash="second-factor">
            Set it up
          </LinkButton>
        }
      />
    )
  }
  return <LoadFailure {...failure} />
}

const NEXT_STEPS = [
  [UserRoundCheck, 'Our team checks again and decides. Matches come first.'],
  [Mail, 'We’ll email you our decision.'],
  [BadgeCheck, 'Then patients can find you. You can set your hours before that.'],
] as const

/** What happens next, for providers not verified yet. */
export function WhatNext({ verification }: { verification: OwnVerification }) {
  if (verification.state !== 'waiting') return null
  return (
    <section aria-labelledby="what-next" className="border-t border-line pt-6">
      <h2 id="what-next" className="text-lg font-semibold">
        What happens next
      </h2>
      <ol className="mt-3 flex flex-col gap-3">
        {NEXT_STEPS.map(([Icon, text]) => (
          <li key={text} className="flex gap-3">
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand" />
            {text}
          </li>
        ))}
      </ol>
    </section>
  )
}

type AnswerPartProps = { verification: OwnVerification; about: RequestAbout }

/** What staff asked for on this page, and the form to answer it: a text, with a document if needed. */
export function AnswerPart({ verification, about }: AnswerPartProps) {
  const { asked, answeredAt, provider, state } = verification
  const result = useRef<HTMLDivElement>(null)
  const [isSent, setSent] = useState(false)
  const isShown = asked === null && answeredAt !== null
  useEffect(() => {
    // The form that had focus is gone.
    if (isSent && isShown) result.current?.focus()
  }, [isSent, isShown])
  if (asked === null) {
    return answeredAt === null ? null : (
      <div ref={result} tabIndex={-1} className="rounded-field">
        <Notice kind="info" role="status" title="We have your answer">
          <p>
            You answered on {formatFullDate(answeredAt.slice(0, 10), provider.region)}. We’ll email
            you our decision.
          </p>
        </Notice>
      </div>
    )
  }
  if (asked.about !== about) {
    const isCompany = asked.about === 'company'
    return (
      <p>
        <LinkButton to={isCompany ? '/company-verify' : '/provider-verify'} variant="secondary">
          {isCompany ? 'Answer on your company page' : 'Answer what our staff asked'}
        </LinkButton>
      </p>
    )
  }
  return (
    <AnswerForm
      asked={asked}
      isTold={about === 'registration' && state === 'waiting'}
      onSent={() => setSent(true)}
    />
  )
}

type AnswerFormProps = {
  asked: NonNullable<OwnVerification['asked']>
  isTold: boolean
  onSent: () => void
}

function AnswerForm({ asked, isTold, onSent }: AnswerFormProps) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { answer: '', document: '' },
    schema: AnswerInput,
    send: (input) => client.verification.answer.mutate(input),
    onSent: (now) => {
      store(now)
      onSent()
    },
    codeFields: { not_found: 'document' },
  })
  return (
    <>
      {/* While they wait, the registration page's notice above says it already. */}
      {!isTold && (
        <Notice kind="warn" title="Our staff need something from you">
          <p className="whitespace-pre-line">{asked.what}</p>
        </Notice>
      )}
      <FormFrame form={form} label="Your answer" failureTitle="Not sent">
        <TextArea
          label="Your answer"
          hint="Our staff read this. Patients never see it."
          rows={4}
          {...form.text('answer')}
        />
        <DocumentField
          id={`${form.id}-document`}
          error={form.errors['document']}
          onDocument={(document) => form.set('document', document)}
          what="Only needed if we asked for one."
        />
        <div>
          <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
            Send answer
          </Button>
        </div>
      </FormFrame>
    </>
  )
}

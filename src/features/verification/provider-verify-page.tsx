import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCountdown, formatFullDate } from '#app/lib/dates/format.ts'
import { useTimeLeft } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import {
  DEMO_REGISTRANT,
  EnterProofCodeInput,
  LOOK_UPS_PER_DAY,
  type OwnProof,
  type OwnVerification,
  SendProofInput,
} from '#contract/verification.ts'
import { ComparisonTable } from './comparison-table.tsx'
import { DocumentField } from './document-field.tsx'
import { bodyLabels, doneSteps, useStoreVerification, verdictOf } from './verdict.ts'
import { AnswerPart, NoAccess, VerifyFrame, WhatNext } from './verify-frame.tsx'

const TITLE = 'Verify your registration'

/** Offers a registrant of the demo's register, where invented numbers are not found. */
function DemoHint({ verification }: { verification: OwnVerification }) {
  const { check, provider } = verification
  if (!useSiteConfig().demo || check?.outcome !== 'not_found') return null
  const { first_name: first, last_name: last, numbers } = DEMO_REGISTRANT
  const body = provider.professional_body_name
  return (
    <Notice>
      <p>
        This is a demo. Its register lists{' '}
        <strong>
          {first} {last}
        </strong>{' '}
        with the {bodyLabels[body].number} <strong className="tabular">{numbers[body]}</strong>.
      </p>
    </Notice>
  )
}

function lookUpsLeftText(left: number): string {
  if (left === 0) return 'You’ve used all five checks for today. You can check again tomorrow.'
  if (left === LOOK_UPS_PER_DAY) return 'Up to five checks a day.'
  return left === 1 ? '1 check left today.' : `${left} checks left today.`
}

function Registration({ verification }: { verification: OwnVerification }) {
  const store = useStoreVerification()
  const { provider, check, lookUpsLeft, state, company } = verification
  const { professional_body_name, membership_number, region } = provider
  const { register } = bodyLabels[professional_body_name]
  const result = useRef<HTMLDivElement>(null)
  const compare = trpc.verification.lookUpMine.useMutation({
    onSuccess: (now) => {
      store(now)
      // The result is shown above the pressed button.
      requestAnimationFrame(() => result.current?.focus())
    },
  })
  const verdict = verdictOf(verification)
  const isFirst = check === null && state !== 'verified'
  const way =
    company === null || company.state === 'refused'
      ? 'Continue to your company'
      : 'See your company'
  return (
    <>
      <div ref={result} tabIndex={-1} className="rounded-field empty:hidden">
        {verdict && (
          <Notice kind={verdict.kind} role="status" title={verdict.title}>
            <p className="whitespace-pre-line">{verdict.text}</p>
            {verdict.isInProfile && (
              <p className="mt-2">
                <TextLink to="/doctor/profile">Open your profile</TextLink>
              </p>
            )}
          </Notice>
        )}
      </div>
      <AnswerPart verification={verification} about="registration" />
      <div>
        <ComparisonTable verification={verification} />
        {check && (
          <p className="mt-2 text-sm text-muted">
            Checked on {formatFullDate(check.checkedAt.slice(0, 10), region)}. Capital letters and
            spaces do not matter.
          </p>
        )}
      </div>
      <DemoHint verification={verification} />
      {compare.error && (
        <Notice kind="danger" role="alert" title="We couldn’t compare them">
          <p>{describeFailure(compare.error).sentence}</p>
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        {!isFirst && (
          <LinkButton to="/company-verify" size="large" className="max-sm:w-full">
            {way}
          </LinkButton>
        )}
        <Button
          variant={isFirst ? 'primary' : 'secondary'}
          size="large"
          className="max-sm:w-full"
          isBusy={compare.isPending}
          disabled={lookUpsLeft === 0}
          aria-describedby="look-ups-left"
          onClick={() => compare.mutate({ professional_body_name, membership_number })}
        >
          {compare.isPending
            ? `Checking the ${register}`
            : isFirst
              ? `Check the ${register}`
              : 'Check again'}
        </Button>
        <p id="look-ups-left" className="text-sm text-muted">
          {lookUpsLeftText(lookUpsLeft)}
        </p>
      </div>
      <ProofPart verification={verification} />
      <WhatNext verification={verification} />
    </>
  )
}

const LEAD =
  'We compare what you told us with the public register. You’ll be listed once this is done.'

function Verification() {
  const [verification] = trpc.verification.mine.useSuspenseQuery({})
  return (
    <VerifyFrame
      current="Registration"
      done={doneSteps(verification)}
      title={TITLE}
      lead={LEAD}
      below={
        <p className="px-1 text-center">
          <TextLink to="/dochome">
            {verification.state === 'verified' ? 'Go to your dashboard' : 'Do this later'}
          </TextLink>
        </p>
      }
    >
      <Registration verification={verification} />
    </VerifyFrame>
  )
}

/**
 * `/provider-verify`, once the email address is confirmed: the provider's claim beside the register's entry.
 */
export function ProviderVerifyPage() {
  return (
    <DataBoundary
      failed="This didn’t load"
      renderFrame={(state) => (
        <VerifyFrame current="Registration" done={['Email']} title={TITLE}>
          {state}
        </VerifyFrame>
      )}
      renderFailure={(failure) => <NoAccess {...failure} />}
      pending={<PendingShapes shapes={['h-6 w-3/4', 'h-64']} />}
    >
      <Verification />
    </DataBoundary>
  )
}

type Code = NonNullable<OwnProof['code']>

/** Sends a code to the published email address: the first one, or another once the server allows it. */
function SendCode({ code, onSent }: { code: Code; onSent: () => void }) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const left = useTimeLeft(code.resendAt ?? '1970-01-01T00:00:00Z')
  const sending = useMutation({
    mutationFn: () => client.verification.sendProofCode.mutate({}),
    onSuccess: (now) => {
      store(now)
      onSent()
    },
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant={code.isSent ? 'secondary' : 'primary'}
          size="large"
          className="max-sm:w-full"
          disabled={left > 0}
          isBusy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {code.isSent ? 'Send a new code' : 'Send me a code'}
        </Button>
        {left > 0 && (
          <p className="text-sm text-muted">
            You can ask for a new code in{' '}
            <span className="tabular whitespace-nowrap">{formatCountdown(left)}</span>
          </p>
        )}
      </div>
      <p role="status" className="text-sm font-medium empty:hidden">
        {sending.isSuccess && code.isSent && 'A code is on its way.'}
        {sending.error && (
          <span className="text-danger">{describeFailure(sending.error).sentence}</span>
        )}
      </p>
    </div>
  )
}

function CodeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { otp: '' },
    schema: EnterProofCodeInput,
    send: (input) => client.verification.enterProofCode.mutate(input),
    onSent: (now) => {
      store(now)
      onConfirmed()
    },
    codeFields: { code_invalid: 'otp', code_locked: 'otp' },
  })
  return (
    <FormFrame form={form} label="The code we sent" failureTitle="Not confirmed">
      <CodeInput
        {...form.text('otp')}
        label="One-time code"
        hint="Six digits. It expires after ten minutes."
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
          Confirm
        </Button>
      </div>
    </FormFrame>
  )
}

/** The published email address, the code sent to it, and the field to enter it. */
function EmailCodeProof({ code, onConfirmed }: { code: Code; onConfirmed: () => void }) {
  const form = useRef<HTMLDivElement>(null)
  const [sent, setSent] = useState(0)
  useEffect(() => {
    // The pressed button is disabled for a minute. The field may appear only after the response.
    if (sent > 0 && code.isSent) form.current?.querySelector('input')?.focus()
  }, [sent, code.isSent])
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold">Get a code by email</h3>
        <p className="mt-1">
          We can send it to <strong className="wrap-anywhere">{code.email}</strong>. This address is
          published here: {code.source}.
        </p>
      </div>
      <div ref={form} className="empty:hidden">
        {code.isSent && <CodeForm onConfirmed={onConfirmed} />}
      </div>
      <SendCode code={code} onSent={() => setSent(sent + 1)} />
    </div>
  )
}

type DocumentFormProps = { onSent: () => void }

function DocumentForm({ onSent }: DocumentFormProps) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { document: '' },
    schema: SendProofInput,
    send: (input) => client.verification.sendProof.mutate(input),
    onSent: (now) => {
      store(now)
      onSent()
    },
    codeFields: { not_found: 'document' },
  })
  return (
    <FormFrame form={form} label="Your proof" failureTitle="Not sent">
      <DocumentField
        id={`${form.id}-document`}
        error={form.errors['document']}
        onDocument={(document) => form.set('document', document)}
        what="A photo ID, or the certificate of your registration."
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          size="large"
          isBusy={form.isBusy}
          className="max-sm:w-full"
        >
          Send document
        </Button>
      </div>
    </FormFrame>
  )
}

type DocumentProofProps = { verification: OwnVerification; onSent: () => void }

/** Proof by document: the status of the one sent, and the form to send one. */
function DocumentProof({ verification, onSent }: DocumentProofProps) {
  const { proof, provider, asked } = verification
  const [isOpen, setIsOpen] = useState(false)
  const { document, code } = proof
  const isWaiting = document?.state === 'waiting'
  return (
    <div className="flex flex-col gap-4">
      {code !== null && <h3 className="font-semibold">Or send a document</h3>}
      {document !== null && (
        <Notice
          kind={isWaiting ? 'info' : 'warn'}
          role="status"
          title={isWaiting ? 'We have your document' : 'We couldn’t accept your document'}
        >
          <p className="whitespace-pre-line">
            {isWaiting
              ? `You sent it on ${formatFullDate(document.sentAt.slice(0, 10), provider.region)}. We’ll look at it when we review your registration.`
              : document.reason}
          </p>
        </Notice>
      )}
      {asked?.about === 'registration' ? (
        <p>You can add it to your answer above.</p>
      ) : isWaiting && !isOpen ? (
        <div>
          <Button variant="quiet" onClick={() => setIsOpen(true)}>
            Send another document
          </Button>
        </div>
      ) : (
        <DocumentForm
          onSent={() => {
            setIsOpen(false)
            onSent()
          }}
        />
      )}
    </div>
  )
}

/** Asks a provider for one proof that they are the person in the register; nothing if none is needed. */
function ProofPart({ verification }: { verification: OwnVerification }) {
  const { proof, state } = verification
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that has focus goes away.
  const focusHeading = () => requestAnimationFrame(() => heading.current?.focus())
  // Verified providers see this only if staff have entered an address or refused a document.
  if (state === 'verified' && proof.code === null && proof.document === null) return null
  return (
    <section aria-labelledby="proof" className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 ref={heading} tabIndex={-1} id="proof" className="text-lg font-semibold">
        Show us that it’s you
      </h2>
      {proof.acceptedAt === null ? (
        <>
          <p>
            Anyone can read names and numbers in the register. So before we verify you, we need one
            proof that you’re the person it names.
          </p>
          {proof.code && <EmailCodeProof code={proof.code} onConfirmed={focusHeading} />}
          <DocumentProof verification={verification} onSent={focusHeading} />
        </>
      ) : (
        <p role="status" className="flex gap-2">
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ok" />
          We know that you’re the person the register names. There’s nothing else to send.
        </p>
      )}
    </section>
  )
}

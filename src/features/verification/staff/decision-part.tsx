import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Select, TextArea } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import { verificationLife } from '#contract/life-cycles/verification.ts'
import { RequestAbout } from '#contract/verification.ts'
import {
  type DecideInput,
  type Evidence,
  Reason,
  STATUS_UPDATED,
  type StaffProvider,
  type VerificationQueue,
} from '#contract/verification-staff.ts'
import { reasonFor, statusText } from './staff-text.ts'
import { useInvalidateProvider } from './use-provider.ts'

type DecisionPartProps = {
  provider: StaffProvider
  evidence: Evidence
  queue: VerificationQueue | undefined
}

type OpenForm = 'nothing' | 'reject' | 'ask'
type Done = { title: string; text: string }

/** The outcome, which takes focus and says what to do next. */
function Result({ done, next }: { done: Done; next: VerificationQueue['next'] }) {
  return (
    <Notice kind="ok" role="status" title={done.title}>
      <p>{done.text}</p>
      {next && (
        <p className="mt-3">
          <LinkButton
            to="/admin-home/providers/$providerId"
            params={{ providerId: next.providerId }}
            variant="secondary"
          >
            Next: {next.name}
          </LinkButton>
        </p>
      )}
    </Notice>
  )
}

function decisionText(input: DecideInput): string {
  return input.verification_status === 'Verified'
    ? 'Patients can find them now. We’ve emailed them.'
    : 'Patients can’t find them. We’ve emailed them your reason.'
}

/** The current status, and the decision: verify, reject with a reason, or ask for what is missing. */
export function DecisionPart({ provider, evidence, queue }: DecisionPartProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateProvider()
  const [asking, setAsking] = useState<OpenForm>('nothing')
  const [about, setAbout] = useState<RequestAbout>('registration')
  const [done, setDone] = useState<Done | null>(null)
  const result = useRef<HTMLDivElement>(null)
  const { providerId } = provider
  const { state } = evidence
  const finish = async (what: Done | null) => {
    setDone(what)
    if (what !== null) setAsking('nothing')
    await invalidate()
    requestAnimationFrame(() => result.current?.focus())
  }
  const send = async (input: DecideInput) => {
    setDone(null)
    try {
      await client.verification.decide.mutate(input)
    } catch (error) {
      // The page may be out of date, and the register's answer has been recorded.
      void invalidate()
      throw error
    }
    await finish({ title: STATUS_UPDATED, text: decisionText(input) })
  }
  const verify = useMutation({
    mutationFn: () => send({ providerId, seen: state, verification_status: 'Verified' }),
    onError: () => requestAnimationFrame(() => result.current?.focus()),
  })
  const ask = async (what: string) => {
    await client.verification.askAgain.mutate({ providerId, what, about })
    await finish({
      title: 'The email is on its way',
      text:
        state === 'waiting'
          ? 'They move to the end of the queue until they answer or check the register again.'
          : 'They go back into the queue when they answer.',
    })
  }
  const open = (what: OpenForm) => () => {
    setDone(null)
    verify.reset()
    setAsking(what)
  }
  const cancel = () => setAsking('nothing')
  const mayVerify = verificationLife.may('verify', state, 'staff')
  const isBorneOut = evidence.check === null || evidence.check.outcome === 'match'
  const isReady = isBorneOut && evidence.isProven
  const forms: Record<OpenForm, ReactNode> = {
    nothing: null,
    reject: (
      <ReasonForm
        key="reject"
        label="Reject"
        field="Reason"
        hint="The provider reads this."
        submit="Reject and tell them"
        isDanger
        suggestion={reasonFor(evidence.check)}
        failureTitle="Nothing was decided"
        send={(reason) =>
          send({ providerId, seen: state, verification_status: 'Unverified', reason })
        }
        onCancel={cancel}
      />
    ),
    ask: (
      <ReasonForm
        key="ask"
        label="Request information"
        field="What is missing"
        hint="We email this to the provider. It isn’t a decision."
        submit="Send the email"
        failureTitle="The email wasn’t sent"
        send={ask}
        onCancel={cancel}
      >
        {evidence.companies.length > 0 && (
          <Select
            id="about"
            label="About"
            value={about}
            onChange={(event) => setAbout(RequestAbout.parse(event.target.value))}
          >
            <option value="registration">The registration</option>
            <option value="company">The company</option>
          </Select>
        )}
      </ReasonForm>
    ),
  }
  return (
    <Card>
      <section aria-labelledby="decision">
        <h2 id="decision" className="text-xl font-semibold">
          Decision
        </h2>
        <p className="mt-1 text-muted">{statusText(provider, evidence)}</p>
        {evidence.reason !== null && (
          <p className="mt-1 whitespace-pre-line text-muted">Reason: “{evidence.reason}”</p>
        )}
        <div ref={result} tabIndex={-1} className="mt-4 rounded-field empty:hidden">
          {done && <Result done={done} next={queue?.next ?? null} />}
          {verify.error && (
            <Notice kind="danger" role="alert" title="Nothing was decided">
              <p>{describeFailure(verify.error).sentence}</p>
            </Notice>
          )}
        </div>
        <div className="mt-4 flex flex-wrap gap-3">
          {mayVerify && (
            <Button
              variant={isReady ? 'primary' : 'secondary'}
              isBusy={verify.isPending}
              onClick={() => verify.mutate()}
            >
              Verify
            </Button>
          )}
          <Button
            variant="dangerQuiet"
            aria-expanded={asking === 'reject'}
            onClick={open('reject')}
          >
            Reject
          </Button>
          {mayVerify && (
            <Button variant="secondary" aria-expanded={asking === 'ask'} onClick={open('ask')}>
              Request information
            </Button>
          )}
        </div>
        {forms[asking]}
      </section>
    </Card>
  )
}

type ReasonFormProps = {
  /** Label of the form, and of what its button does. */
  label: string
  field: string
  hint: string
  submit: string
  isDanger?: boolean
  /** Initial text of the field. */
  suggestion?: string
  failureTitle: string
  send: (reason: string) => Promise<unknown>
  onCancel: () => void
  /** Shown above the field. */
  children?: ReactNode
}

const ReasonSchema = z.object({ reason: Reason })
const MAX = 500

/** A text for the provider to read, and the action it explains. The field takes focus. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, field, hint, submit, isDanger, suggestion = '', failureTitle } = props
  const [opener] = useState(() => document.activeElement)
  const cancel = () => {
    props.onCancel()
    // The form that has focus goes away.
    if (opener instanceof HTMLElement) opener.focus()
  }
  const form = useForm({
    blank: { reason: suggestion },
    schema: ReasonSchema,
    send: ({ reason }) => props.send(reason),
  })
  return (
    <FormFrame
      form={form}
      label={label}
      failureTitle={failureTitle}
      className="mt-4 gap-4! border-t border-line pt-4"
    >
      {props.children}
      <TextArea
        {...form.text('reason')}
        label={field}
        hint={hint}
        counter={`${form.values.reason.length} of ${MAX} characters`}
        rows={3}
        // Opened by a press: the user wants to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className="min-h-24!"
      />
      <FormButtons send={submit} isDangerous={isDanger} isBusy={form.isBusy} onCancel={cancel} />
    </FormFrame>
  )
}

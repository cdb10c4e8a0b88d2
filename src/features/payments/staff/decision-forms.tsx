import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { formatAnyCurrency, formatMajorUnits, parseMinorUnits } from '#app/lib/format/money.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { StepUpDialog, type StepUpState, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards, TextArea, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import {
  type PaymentDetail,
  REFUND_LIMIT,
  type StaffPayment,
  StaffReason,
} from '#contract/payments.ts'
import { refundTargets, useInvalidatePayments } from './payment-labels.ts'

const Schema = z.object({ reason: StaffReason })

type ReasonDialogProps = {
  title: string
  /** The effect of the action, in a sentence. */
  consequence: string
  /** Label of the confirming button. */
  action: string
  isDangerous?: boolean
  failureTitle: string
  send: (reason: string) => Promise<unknown>
  onDone: () => Promise<void>
  onClose: () => void
}

/** Asks staff for the reason of a decision, and for step-up authentication where the server requires it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, consequence, action, isDangerous = false, failureTitle, send, onDone } = props
  const proof = useStepUpState()
  const form = useForm({
    blank: { reason: '' },
    schema: Schema,
    send: ({ reason }) => proof.prove(() => send(reason)),
    onSent: onDone,
  })
  return (
    <StepUpDialog title={title} proof={proof} action={action} onClose={props.onClose}>
      <FormFrame form={form} label={title} failureTitle={failureTitle}>
        <p>{consequence}</p>
        <TextArea
          label="Reason"
          hint="Only staff can see this."
          rows={3}
          className="min-h-24"
          {...form.text('reason')}
        />
        <FormButtons
          send={action}
          isDangerous={isDangerous}
          isBusy={form.isBusy}
          onCancel={props.onClose}
        />
      </FormFrame>
    </StepUpDialog>
  )
}

type Draft = { share: 'all' | 'part'; minor: string; releaseTime: boolean; reason: string }
const BLANK: Draft = { share: 'all', minor: '', releaseTime: false, reason: '' }

type RefundRequest = { minor: number; reason: string; releaseTime: boolean }

type RefundFormProps = {
  visit: StaffPayment
  payment: PaymentDetail
  proof: StepUpState
  onClose: () => void
  /** Called with what was done, in words. */
  onRefunded: (text: string) => Promise<void>
}

/** Asks how much and why, then states the effect in one sentence, with the button that confirms it. */
export function RefundForm(props: RefundFormProps) {
  const [request, setRequest] = useState<RefundRequest | null>(null)
  // Idempotency key: this form refunds once, even if it goes back and sends again after a lost response.
  const [key] = useState(() => crypto.randomUUID())
  return (
    <>
      <div hidden={request !== null}>
        <AmountStep {...props} onChosen={setRequest} />
      </div>
      {request && (
        <ConfirmStep {...props} wanted={{ ...request, key }} onBack={() => setRequest(null)} />
      )}
    </>
  )
}

const NO_AMOUNT = 'Enter an amount, such as 12.50.'

function refundSchema({ refundable }: PaymentDetail, left: string) {
  return z.object({
    minor: z
      .int({ error: NO_AMOUNT })
      .check(
        z.minimum(1, { error: NO_AMOUNT }),
        z.maximum(refundable, { error: `You can refund up to ${left}.` }),
      ),
    reason: StaffReason,
    releaseTime: z.boolean(),
  })
}

type AmountStepProps = RefundFormProps & { onChosen: (wanted: RefundRequest) => void }

function AmountStep({ visit, payment, onClose, onChosen }: AmountStepProps) {
  const { refundable, refunded, gateway } = payment
  const left = formatAnyCurrency({ minor: refundable, currency: refunded.currency })
  const form = useForm({
    blank: BLANK,
    schema: refundSchema(payment, left),
    toInput: ({ share, minor, reason, releaseTime }) => ({
      minor: share === 'all' ? refundable : parseMinorUnits(minor),
      reason,
      releaseTime: releaseTime && share === 'all' && visit.isComing,
    }),
    send: (wanted) => Promise.resolve(wanted),
    onSent: (wanted) => onChosen(wanted),
  })
  const { share, releaseTime } = form.values
  return (
    <FormFrame form={form} label="Refund" failureTitle="Nothing was refunded">
      <p className="text-muted">
        You can refund up to {left} of this payment, to {refundTargets[gateway]}.
      </p>
      <RadioCards
        name={`${form.id}-share`}
        legend="How much"
        value={share}
        onChange={(next) => form.set('share', next)}
        choices={[
          {
            value: 'all',
            label: refunded.minor > 0 ? 'All that’s left' : 'All of it',
            aside: left,
          },
          { value: 'part', label: 'Part of it' },
        ]}
      />
      {share === 'part' && (
        <TextInput
          label="Amount"
          hint={`In ${refunded.currency}, up to ${formatMajorUnits(refundable)}.`}
          inputMode="decimal"
          autoComplete="off"
          className="tabular max-w-40"
          {...form.text('minor')}
        />
      )}
      {visit.isComing && (
        <div>
          <Checkbox
            label="Cancel the visit and open its time again"
            checked={releaseTime && share === 'all'}
            disabled={share !== 'all'}
            onChange={({ currentTarget }) => form.set('releaseTime', currentTarget.checked)}
          />
          <p className="text-sm text-muted">
            {share === 'all'
              ? 'Otherwise the visit stays booked, even though it’s refunded in full.'
              : 'To cancel the visit, refund the full amount.'}
          </p>
        </div>
      )}
      <TextArea
        label="Reason"
        hint="Kept with the payment for staff; the patient won’t see it."
        rows={3}
        className="min-h-24"
        {...form.text('reason')}
      />
      <FormButtons send="Continue" isBusy={false} onCancel={onClose} />
    </FormFrame>
  )
}

/** "Refund £60.00 to the card it was paid with. The visit stays booked." */
function consequenceText(
  { visit, payment }: RefundFormProps,
  { minor, releaseTime }: RefundRequest,
): string {
  const amount = formatAnyCurrency({ minor, currency: payment.refunded.currency })
  const money = `Refund ${amount} to ${refundTargets[payment.gateway]}.`
  if (releaseTime) {
    return `${money} The visit is cancelled, its time opens again, and we’ll email the patient and the doctor.`
  }
  const stays = visit.isComing ? ' The visit stays booked.' : ''
  return `${money}${stays} We’ll email the patient.`
}

/** Why nothing was refunded; after a lost response or a fault of the server, that it may have been. */
function RefundFailure({ failure: { code, sentence, reference } }: { failure: Failure }) {
  const isUnknown = reference !== null || ['offline', 'timeout', 'unknown'].includes(code)
  return (
    <Notice
      kind="danger"
      role="alert"
      title={isUnknown ? 'It may have been refunded' : 'Nothing was refunded'}
    >
      <p>{sentence}</p>
      {isUnknown && <p>If you send it again from here, it’s still refunded only once.</p>}
    </Notice>
  )
}

type ConfirmStepProps = RefundFormProps & {
  wanted: RefundRequest & { key: string }
  onBack: () => void
}

function ConfirmStep(props: ConfirmStepProps) {
  const { payment, proof, wanted, onBack, onRefunded } = props
  const { client } = trpc.useUtils()
  const invalidate = useInvalidatePayments()
  const safe = useRef<HTMLButtonElement>(null)
  const barred = useStaffRefusal('refundOverLimit')
  const { currency } = payment.refunded
  const amount = formatAnyCurrency({ minor: wanted.minor, currency })
  const limit = REFUND_LIMIT[currency] ?? 0
  const send = useMutation({
    mutationFn: () =>
      proof.prove(() => client.payments.refund.mutate({ ...wanted, paymentId: payment.id })),
    onSuccess: () => onRefunded(`A refund of ${amount} is on its way.`),
    // Shows what somebody else has refunded, or the result of a lost response.
    onError: invalidate,
  })
  useEffect(() => safe.current?.focus(), [])
  const failure = send.error ? describeFailure(send.error) : null
  const isBarred = barred !== null && wanted.minor > limit
  return (
    <div className="flex flex-col gap-6">
      {failure && failure.code !== 'step_up_required' && <RefundFailure failure={failure} />}
      <p className="text-lg">{consequenceText(props, wanted)}</p>
      <dl>
        <dt className="text-sm text-muted">Reason</dt>
        <dd className="whitespace-pre-line wrap-anywhere">{wanted.reason}</dd>
      </dl>
      {isBarred && (
        <Notice kind="warn" title={`More than ${formatAnyCurrency({ minor: limit, currency })}`}>
          <p>{barred}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="danger"
          disabled={isBarred}
          isBusy={send.isPending}
          onClick={() => send.mutate()}
        >
          Refund {amount}
        </Button>
        <Button ref={safe} variant="secondary" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  )
}

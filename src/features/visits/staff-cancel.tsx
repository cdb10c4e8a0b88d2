import { useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { RoleGuard } from '#app/parts/role-guard.tsx'
import { StepUpForm, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/money.ts'
import { type StaffPayment, StaffReason } from '#contract/payments-staff.ts'
import type { CancelForInput, VisitTerms } from '#contract/visits.ts'
import type { RenderPicker } from './picker.ts'
import { StaffMove } from './staff-move.tsx'

const Schema = z.object({ reason: StaffReason })

type OnBehalf = CancelForInput['for']

const choices = [
  { value: 'patient', label: 'The patient', detail: 'Refund as agreed when they booked' },
  { value: 'provider', label: 'The provider', detail: 'Full refund' },
] as const

/** The amounts refunded and kept, depending on whom the visit is cancelled for. */
function RefundAmounts({ terms }: { terms: VisitTerms }) {
  const { refund, paid, kept } = terms
  return (
    <Notice
      kind={kept.minor > 0 ? 'warn' : 'info'}
      role="status"
      title={`${formatExactMoney(refund)} of ${formatExactMoney(paid)} goes back`}
    >
      {kept.minor > 0 && <p>{formatExactMoney(kept)} is kept as a late cancellation fee.</p>}
    </Notice>
  )
}

type FormProps = { visit: StaffPayment; onClose: () => void }

function CancelForm({ visit, onClose }: FormProps) {
  const { client, payments, visits } = trpc.useUtils()
  const proof = useStepUpState()
  const [whom, setWhom] = useState<OnBehalf>('patient')
  const { data: terms, error } = trpc.visits.staffTerms.useQuery(
    { id: visit.id, for: whom },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const form = useForm({
    blank: { reason: '' },
    schema: Schema,
    send: async ({ reason }) => {
      if (terms === undefined) return
      const { id, sequence, refund } = terms
      const input = { id, for: whom, sequence, refund, reason }
      try {
        await proof.prove(() => client.visits.cancelFor.mutate(input))
      } catch (refusal) {
        // Shows what has changed before asking again.
        await visits.staffTerms.invalidate()
        throw refusal
      }
      onClose()
      void showToast('The visit is cancelled. We’ve told both of them.')
      await payments.invalidate()
    },
  })
  return (
    <>
      {proof.isAsking && (
        <StepUpForm
          takesFocus
          action="Confirm and cancel the visit"
          onProved={() => proof.end(true)}
          aside={
            <Button variant="quiet" onClick={() => proof.end(false)}>
              Back
            </Button>
          }
        />
      )}
      <div hidden={proof.isAsking}>
        <FormFrame form={form} label="Cancel this visit" failureTitle="The visit is not cancelled">
          <RadioCards
            name={`${form.id}-for`}
            legend="Who asked to cancel?"
            choices={choices}
            value={whom}
            onChange={setWhom}
          />
          {error && (
            <Notice kind="danger" role="alert" title="This visit can’t be cancelled">
              <p>{describeFailure(error).sentence}</p>
            </Notice>
          )}
          {terms === undefined && !error && <Skeleton className="h-16 w-full" />}
          {terms !== undefined && !error && <RefundAmounts terms={terms} />}
          <TextArea
            label="Reason"
            hint="Kept for staff; nobody else sees it."
            rows={3}
            className="min-h-24"
            {...form.text('reason')}
          />
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              variant="danger"
              disabled={terms === undefined || Boolean(error)}
              isBusy={form.isBusy}
            >
              {terms?.refund.minor === 0 ? 'Cancel without a refund' : 'Cancel and refund'}
            </Button>
            <Button variant="secondary" onClick={onClose}>
              Keep visit
            </Button>
          </div>
        </FormFrame>
      </div>
    </>
  )
}

type ActionsProps = { visit: StaffPayment; renderPicker: RenderPicker }

/** Moves or cancels an upcoming visit for its patient or its provider, from its page among the payments. */
export function StaffVisitActions({ visit, renderPicker }: ActionsProps) {
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  if (!visit.isComing) return null
  const close = () => setAct(null)
  return (
    <section aria-label={act === 'move' ? 'Move' : 'Cancel'}>
      {act === 'cancel' && <CancelForm visit={visit} onClose={close} />}
      {act === 'move' && <StaffMove visit={visit} renderPicker={renderPicker} onClose={close} />}
      {act === null && (
        <RoleGuard act="refund">
          {(gate) => (
            <div className="flex flex-wrap gap-3">
              <Button {...gate} variant="secondary" onClick={() => setAct('move')}>
                Move visit
              </Button>
              <Button {...gate} variant="secondary" onClick={() => setAct('cancel')}>
                Cancel visit
              </Button>
            </div>
          )}
        </RoleGuard>
      )}
    </section>
  )
}

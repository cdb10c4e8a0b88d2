import { type ComponentProps, useState } from 'react'
import * as z from 'zod/mini'
import type { Moment } from '#app/lib/dates/slot-choice.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { RoleGuard } from '#app/parts/role-guard.tsx'
import { StepUpForm, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards, TextArea } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { StaffPayment } from '#contract/payments.ts'
import { CancelForInput, type VisitTerms } from '#contract/visits.ts'
import { ChooseAnother, ChosenTime, type RenderPicker, useSlotChoice } from './move-parts.tsx'

const { for: whose, reason } = CancelForInput.shape
const ActSchema = z.object({ for: whose, reason })

type OnBehalf = CancelForInput['for']

/** Nothing is chosen at first: whoever decides about money makes the choice. */
const blank: { for: OnBehalf | ''; reason: string } = { for: '', reason: '' }

function ReasonField(field: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return (
    <TextArea
      label="Reason"
      hint="Only staff can see this."
      rows={3}
      className="min-h-24"
      {...field}
    />
  )
}

const cancelChoices = [
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
  const { client, visits } = trpc.useUtils()
  const proof = useStepUpState()
  const form = useForm({
    blank,
    schema: ActSchema,
    send: async (act) => {
      if (terms === undefined) return
      const { id, sequence, refund } = terms
      const input = { id, sequence, refund, ...act }
      try {
        await proof.prove(() => client.visits.cancelFor.mutate(input))
      } catch (refusal) {
        // Shows what has changed before asking again.
        await visits.staffTerms.invalidate()
        throw refusal
      }
      onClose()
      void showToast('The visit is cancelled. We’ve told both of them.')
    },
  })
  const whom = form.values.for
  const {
    data: terms,
    error,
    isFetching,
    refetch,
  } = trpc.visits.staffTerms.useQuery(
    { id: visit.id, for: whom || 'patient' },
    { enabled: whom !== '', staleTime: 0, gcTime: 0, retry: false },
  )
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
        <FormFrame form={form} label="Cancel this visit" failureTitle="The visit isn’t cancelled">
          <RadioCards
            id={`${form.id}-for`}
            name={`${form.id}-for`}
            legend="Who asked to cancel?"
            error={form.errors['for']}
            choices={cancelChoices}
            value={whom}
            onChange={(next) => form.set('for', next)}
          />
          {error && (
            <LoadNotice
              title="This visit can’t be cancelled"
              error={error}
              onRetry={() => void refetch()}
            />
          )}
          {isFetching && terms === undefined && <PendingShapes shapes={['h-16']} />}
          {terms !== undefined && !error && <RefundAmounts terms={terms} />}
          <ReasonField {...form.text('reason')} />
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              variant="danger"
              disabled={whom !== '' && (terms === undefined || Boolean(error))}
              isBusy={form.isBusy}
            >
              {terms?.refund.minor === 0 ? 'Cancel without a refund' : 'Cancel and refund'}
            </Button>
            <Button variant="secondary" disabled={form.isBusy} onClick={onClose}>
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
  const { payments } = trpc.useUtils()
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  if (!visit.isComing) return null
  const close = () => {
    setAct(null)
    // What was open may have changed the visit, or shown that it was changed elsewhere.
    void payments.invalidate()
  }
  return (
    <section aria-label={act === 'move' ? 'Move' : 'Cancel'}>
      {act === 'cancel' && <CancelForm visit={visit} onClose={close} />}
      {act === 'move' && (
        <PartBoundary
          failed="This visit can’t be moved"
          pending={<PendingShapes shapes={['h-96']} />}
        >
          <StaffMove visit={visit} renderPicker={renderPicker} onClose={close} />
        </PartBoundary>
      )}
      {act === null && (
        <RoleGuard act="refund">
          {(disabledProps) => (
            <div className="flex flex-wrap gap-3">
              <Button {...disabledProps} variant="secondary" onClick={() => setAct('move')}>
                Move visit
              </Button>
              <Button {...disabledProps} variant="secondary" onClick={() => setAct('cancel')}>
                Cancel visit
              </Button>
            </div>
          )}
        </RoleGuard>
      )}
    </section>
  )
}

const moveChoices = [
  {
    value: 'patient',
    label: 'The patient',
    detail: 'Free cancellation as agreed when they booked',
  },
  { value: 'provider', label: 'The provider', detail: 'Free cancellation until the visit begins' },
] as const

type MoveFormProps = {
  terms: VisitTerms
  to: Moment
  onBack: () => void
  onClose: () => void
}

function StaffMoveForm({ terms, to, onBack, onClose }: MoveFormProps) {
  const { client, visits, availability } = trpc.useUtils()
  const form = useForm({
    blank,
    schema: ActSchema,
    send: async (act) => {
      const { id, sequence } = terms
      try {
        const slot = { startsAt: to.startsAt }
        await client.visits.moveFor.mutate({ id, sequence, slot, ...act })
      } catch (refusal) {
        // Shows what has changed before asking again.
        await Promise.all([visits.staffTerms.invalidate(), availability.freeTimes.invalidate()])
        throw refusal
      }
      onClose()
      void showToast('The visit is moved. We’ve told both of them.')
      await availability.invalidate()
    },
  })
  return (
    <FormFrame form={form} label="Move this visit" failureTitle="The visit isn’t moved">
      <ChosenTime from={terms} to={to} />
      <RadioCards
        id={`${form.id}-for`}
        name={`${form.id}-for`}
        legend="Who asked to move it?"
        error={form.errors['for']}
        choices={moveChoices}
        value={form.values.for}
        onChange={(next) => form.set('for', next)}
      />
      <ReasonField {...form.text('reason')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy}>
          Move visit
        </Button>
        <Button variant="secondary" onClick={onBack}>
          Choose another time
        </Button>
      </div>
    </FormFrame>
  )
}

type StaffMoveProps = { visit: StaffPayment; renderPicker: RenderPicker; onClose: () => void }

/** Moves an upcoming visit for its patient or its provider, from its page among the payments. */
function StaffMove({ visit, renderPicker, onClose }: StaffMoveProps) {
  const [terms] = trpc.visits.staffTerms.useSuspenseQuery(
    { id: visit.id, for: 'patient' },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const choosing = useSlotChoice()
  if (choosing.confirmed !== null) {
    return (
      <StaffMoveForm
        terms={terms}
        to={choosing.confirmed}
        onBack={choosing.back}
        onClose={onClose}
      />
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <ChooseAnother terms={terms} choosing={choosing} renderPicker={renderPicker} />
      <div>
        <Button variant="secondary" onClick={onClose}>
          Keep this time
        </Button>
      </div>
    </div>
  )
}

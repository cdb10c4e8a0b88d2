import { useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type StaffPayment, StaffReason } from '#contract/payments-staff.ts'
import type { MoveForInput, VisitTerms } from '#contract/visits.ts'
import { ChooseAnother, ChosenTime, useSlotChoice } from './move-parts.tsx'
import type { RenderPicker } from './picker.ts'

const Schema = z.object({ reason: StaffReason })

const choices = [
  {
    value: 'patient',
    label: 'The patient',
    detail: 'Free cancellation as agreed when they booked',
  },
  { value: 'provider', label: 'The provider', detail: 'Free cancellation until the visit begins' },
] as const

type FormProps = { terms: VisitTerms; choice: SlotChoice; onBack: () => void; onClose: () => void }

function StaffMoveForm({ terms, choice, onBack, onClose }: FormProps) {
  const { client, payments, visits, availability } = trpc.useUtils()
  const [whom, setWhom] = useState<MoveForInput['for']>('patient')
  const form = useForm({
    blank: { reason: '' },
    schema: Schema,
    send: async ({ reason }) => {
      const { id, sequence } = terms
      try {
        await client.visits.moveFor.mutate({ id, for: whom, sequence, slot: choice, reason })
      } catch (refusal) {
        // Shows what has changed before asking again.
        await Promise.all([visits.staffTerms.invalidate(), availability.freeTimes.invalidate()])
        throw refusal
      }
      onClose()
      void showToast('The visit is moved. We’ve told both of them.')
      await Promise.all([payments.invalidate(), availability.invalidate()])
    },
  })
  return (
    <FormFrame form={form} label="Move this visit" failureTitle="The visit is not moved">
      <ChosenTime from={terms} choice={choice} />
      <RadioCards
        name={`${form.id}-for`}
        legend="Who asked to move it?"
        choices={choices}
        value={whom}
        onChange={setWhom}
      />
      <TextArea
        label="Reason"
        hint="Kept for staff; nobody else sees it."
        rows={3}
        className="min-h-24"
        {...form.text('reason')}
      />
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
export function StaffMove({ visit, renderPicker, onClose }: StaffMoveProps) {
  const { data: terms, error } = trpc.visits.staffTerms.useQuery(
    { id: visit.id, for: 'patient' },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const choosing = useSlotChoice()
  if (error) {
    return (
      <Notice kind="danger" role="alert" title="This visit can’t be moved">
        <p>{describeFailure(error).sentence}</p>
      </Notice>
    )
  }
  if (terms === undefined) return <Skeleton className="h-96 w-full" />
  if (choosing.confirmed !== null) {
    return (
      <StaffMoveForm
        terms={terms}
        choice={choosing.confirmed}
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

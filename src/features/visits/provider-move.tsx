import { useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { useForm } from '#app/lib/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { MoveAgreedInput, type MovedVisit, type VisitTerms } from '#contract/visits.ts'
import { ChooseAnother, ChosenTime, useSlotChoice } from './move-parts.tsx'
import type { RenderPicker } from './picker.ts'

const Schema = z.object({ note: MoveAgreedInput.shape.note })

type FormProps = {
  terms: VisitTerms
  choice: SlotChoice
  onBack: () => void
  onDone: (moved: MovedVisit) => Promise<void>
}

function AgreedMoveForm({ terms, choice, onBack, onDone }: FormProps) {
  const { client, visits, availability } = trpc.useUtils()
  const form = useForm({
    blank: { note: '' },
    schema: Schema,
    send: async ({ note }) => {
      const { id, sequence } = terms
      const input = { id, sequence, slot: choice, ...(note ? { note } : {}) }
      try {
        return await client.visits.moveAgreed.mutate(input)
      } catch (refusal) {
        // Shows what has changed before asking again.
        await Promise.all([visits.providerTerms.invalidate(), availability.freeTimes.invalidate()])
        throw refusal
      }
    },
    onSent: onDone,
  })
  return (
    <FormFrame form={form} label="Move this visit" failureTitle="The visit is not moved">
      <ChosenTime from={terms} choice={choice} />
      <Notice kind="info" title="Agree the time with the patient first">
        <p>
          We’ll email them the new time. From then on they can cancel free of charge until the visit
          begins.
        </p>
      </Notice>
      <TextArea
        label="Message to the patient"
        isOptional
        hint="Up to 300 characters, sent by email. Leave out anything medical."
        rows={3}
        className="min-h-24"
        {...form.text('note')}
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

type AgreedMoveProps = {
  visitId: string
  /** A time already chosen. */
  choice?: SlotChoice
  renderPicker: RenderPicker
  onClose: () => void
}

/** The provider moves a visit as agreed with its patient: choose a time, look at both, confirm. */
export function AgreedMoveDialog({ visitId, choice, renderPicker, onClose }: AgreedMoveProps) {
  const { booking, availability } = trpc.useUtils()
  const { data: terms, error } = trpc.visits.providerTerms.useQuery(
    { id: visitId },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const choosing = useSlotChoice(choice)
  const done = async ({ startsAt, timeZone }: MovedVisit) => {
    onClose()
    void showToast(
      `The visit is moved to ${visitMoment(startsAt, timeZone)}. We’ve told the patient.`,
    )
    await Promise.all([booking.invalidate(), availability.invalidate()])
  }
  return (
    <Dialog isOpen onClose={onClose} title="Move this visit">
      {error && (
        <Notice kind="danger" role="alert" title="This visit can’t be moved">
          <p>{describeFailure(error).sentence}</p>
        </Notice>
      )}
      {terms === undefined && !error && <Skeleton className="h-96 w-full" />}
      {terms !== undefined &&
        !error &&
        (choosing.confirmed === null ? (
          <ChooseAnother terms={terms} choosing={choosing} renderPicker={renderPicker} />
        ) : (
          <AgreedMoveForm
            terms={terms}
            choice={choosing.confirmed}
            onBack={choosing.back}
            onDone={done}
          />
        ))}
    </Dialog>
  )
}

type MoveProps = { visit: Pick<ProviderVisit, 'id'>; renderPicker: RenderPicker }

/** "Move visit" on the page of an upcoming visit. */
export function ProviderMove({ visit, renderPicker }: MoveProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Move visit
      </Button>
      {isOpen && (
        <AgreedMoveDialog
          visitId={visit.id}
          renderPicker={renderPicker}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

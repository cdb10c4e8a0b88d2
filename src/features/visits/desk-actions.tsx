import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { DeskVisit } from '#contract/booking-desk.ts'
import { NoteField, PatientFields } from './desk-fields.tsx'
import { DeskDetailsForm } from './desk-form-rules.ts'
import { DeskMove } from './desk-move.tsx'
import { longMoment } from './move-parts.tsx'
import type { RenderPicker } from './picker.ts'

type EditProps = { visit: DeskVisit; note: string; onClose: () => void }

function EditForm({ visit, note, onClose }: EditProps) {
  const { client, booking } = trpc.useUtils()
  const { id, patient, kind } = visit
  const form = useForm({
    blank: { name: patient?.name ?? '', phone: patient?.phone ?? '', note },
    schema: DeskDetailsForm,
    send: ({ phone = null, ...rest }) => client.booking.editDesk.mutate({ id, phone, ...rest }),
    onSent: async () => {
      onClose()
      void showToast('The visit is changed.')
      await booking.invalidate()
    },
  })
  return (
    <FormFrame form={form} label="Edit this visit" failureTitle="The visit isn’t changed">
      <PatientFields
        name={form.text('name')}
        phone={form.text('phone')}
        isPhoneOptional={kind === 'walk_in'}
      />
      <NoteField {...form.text('note')} />
      <FormButtons send="Save" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

/** "Edit" on a visit added at the desk. It reads the note, which is recorded. */
function DeskEdit({ visit }: { visit: DeskVisit }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, mutate } = trpc.booking.deskNote.useMutation()
  const note = visit.hasNote ? data?.note : ''
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => {
          if (visit.hasNote) mutate({ id: visit.id })
          setOpen(true)
        }}
      >
        Edit
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Edit this visit">
        {error && (
          <Notice kind="danger" role="alert" title="This visit can’t be edited">
            <p>{describeFailure(error).sentence}</p>
          </Notice>
        )}
        {note === undefined && !error && <Skeleton className="h-72 w-full" />}
        {note !== undefined && <EditForm visit={visit} note={note} onClose={close} />}
      </Dialog>
    </>
  )
}

function CancelDialog({ visit, onClose }: { visit: DeskVisit; onClose: () => void }) {
  const { booking, availability } = trpc.useUtils()
  const { id, sequence, patient } = visit
  const cancel = trpc.booking.cancelDesk.useMutation({
    onSuccess: async () => {
      onClose()
      void showToast('The visit is cancelled.')
      await Promise.all([booking.invalidate(), availability.invalidate()])
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Cancel this visit?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate({ id, sequence })}
          >
            Cancel visit
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep visit
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          <strong className="tabular font-semibold">{longMoment(visit)}</strong>
          {patient !== null && `, ${patient.name}`}. The time is free again where it falls within
          your hours. Nothing was paid.
        </p>
        <p>
          {patient?.email
            ? 'We’ll email the patient that it’s cancelled.'
            : 'Nobody is emailed: tell the patient yourself.'}
        </p>
        {cancel.error && (
          <Notice kind="danger" role="alert" title="The visit is not cancelled">
            <p>{describeFailure(cancel.error).sentence}</p>
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

type ActionsProps = { visit: DeskVisit; renderPicker: RenderPicker }

/**
 * A provider's actions on a visit they added, until its day is over; once its outcome is marked, only
 * editing.
 */
export function DeskActions({ visit, renderPicker }: ActionsProps) {
  const [isOpen, setOpen] = useState(false)
  if (!visit.canChange) return null
  const isMarked = visit.marking.outcome !== null
  return (
    <div className="flex flex-wrap gap-3">
      <DeskEdit visit={visit} />
      {!isMarked && (
        <>
          <DeskMove visit={visit} renderPicker={renderPicker} />
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Cancel visit
          </Button>
        </>
      )}
      {isOpen && <CancelDialog visit={visit} onClose={() => setOpen(false)} />}
    </div>
  )
}

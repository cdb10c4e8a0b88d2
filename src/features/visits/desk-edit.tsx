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

/** "Edit" on a visit that was put in at the desk. Its note is read for that, which is recorded. */
export function DeskEdit({ visit }: { visit: DeskVisit }) {
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

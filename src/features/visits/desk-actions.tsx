import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { DeskVisit } from '#contract/booking-desk.ts'
import { DeskEdit } from './desk-edit.tsx'
import { DeskMove } from './desk-move.tsx'
import { longMoment } from './move-parts.tsx'
import type { RenderPicker } from './picker.ts'

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
          {patient !== null && `, ${patient.name}`}. The time opens again as far as your hours have
          it. Nothing was paid.
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

/** What a provider can do with a visit they put in: until its day is over, and while it is not marked. */
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

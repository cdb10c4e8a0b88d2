import { type RefObject, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { plural } from '#app/features/availability/hours/words.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { CancelReasonFields } from '#app/parts/cancel-reason-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Availability } from '#contract/availability.ts'
import { CancelManyInput, CancelReason, type VisitInTimeOff } from '#contract/visits.ts'
import { Consequence, FateList } from './consequences.tsx'
import { isCancelled, useCancelTurns } from './use-cancel-turns.ts'
import { VisitChoice } from './visit-choice.tsx'

const Schema = z.object({
  ids: z.array(z.string()).check(z.minLength(1, { error: 'Choose at least one visit.' })),
  reason: CancelReason,
  note: CancelManyInput.shape.note,
})

type FormProps = {
  visits: readonly VisitInTimeOff[]
  places: Availability['places']
  chosen: readonly string[]
  /** True if some visits could not be cancelled in the previous attempt. */
  isAgain: boolean
  cancel: ReturnType<typeof useCancelTurns>['cancel']
  onSent: () => Promise<void>
  onClose: () => void
}

function CancelForm({ visits, places, chosen, isAgain, cancel, onSent, onClose }: FormProps) {
  const form = useForm({
    blank: {
      ids: visits.map(({ id }) => id).filter((id) => chosen.includes(id)),
      reason: '',
      note: '',
    },
    schema: Schema,
    send: ({ ids, reason, note }) => {
      const named = visits.filter(({ id }) => ids.includes(id))
      return cancel({
        visits: named,
        reason,
        ...(note ? { note } : {}),
      })
    },
    onSent,
  })
  const { ids } = form.values
  const going = visits.filter(({ id }) => ids.includes(id))
  const paid = going.filter(({ desk }) => desk === null)
  return (
    <FormFrame
      form={form}
      label="Cancel visits in your time off"
      failureTitle="Not all visits are cancelled"
    >
      <VisitChoice
        id={`${form.id}-ids`}
        visits={visits}
        places={places}
        chosen={ids}
        error={form.errors['ids']}
        onChange={(next) => form.set('ids', next)}
      />
      {going.length > 0 && <Consequence going={going} />}
      <CancelReasonFields
        reason={form.text('reason')}
        note={form.text('note')}
        isForSeveral={going.length > 1}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" isBusy={form.isBusy}>
          {isAgain ? 'Try again: cancel ' : 'Cancel '}
          {plural(going.length, 'visit')}
          {(paid.length > 0 || going.length === 0) && ' and refund'}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {isAgain ? 'Close' : visits.length === 1 ? 'Keep visit' : 'Keep them'}
        </Button>
      </div>
    </FormFrame>
  )
}

type BodyProps = {
  /** As they were when the dialog opened. */
  listed: readonly VisitInTimeOff[]
  places: Availability['places']
  chosen: readonly string[]
  onClose: () => void
  top: RefObject<HTMLDivElement | null>
}

function CancelBody({ listed, places, chosen, onClose, top }: BodyProps) {
  const utils = trpc.useUtils()
  const { fates, cancel } = useCancelTurns()
  // Visits that can be cancelled, with current refunds; null before the first response.
  const [fresh, setFresh] = useState<readonly VisitInTimeOff[] | null>(null)
  const isLeft = ({ id }: VisitInTimeOff) => {
    const fate = fates.get(id)
    // After a response only rejected visits are offered again; kept visits stay kept.
    return fate === undefined ? fresh === null : !isCancelled(fate)
  }
  const left = (fresh ?? listed).filter(isLeft)
  const sent = async () => {
    await Promise.all([utils.booking.invalidate(), utils.availability.invalidate()])
    await utils.visits.inTimeOff.invalidate()
    setFresh(await utils.visits.inTimeOff.fetch({}))
    top.current?.focus()
  }
  return (
    <div ref={top} tabIndex={-1} className="flex flex-col gap-6 rounded-field">
      {fates.size > 0 && <FateList fates={fates} visits={listed} />}
      {left.length > 0 ? (
        <CancelForm
          // Remounts the form for rejected visits, with current data.
          key={fresh === null ? 'first' : left.map(({ id }) => id).join(' ')}
          visits={left}
          places={places}
          chosen={fresh === null ? chosen : left.map(({ id }) => id)}
          isAgain={fresh !== null}
          cancel={cancel}
          onSent={sent}
          onClose={onClose}
        />
      ) : (
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      )}
    </div>
  )
}

type CancelVisitsDialogProps = {
  places: Availability['places']
  /** Selects the visits in time off that this dialog is about. */
  isListed: (visit: VisitInTimeOff) => boolean
  /** Ids of the visits preselected at first. */
  chosen: readonly string[]
  onClose: () => void
}

/** Visits in time off that is saved: each can be cancelled with a full refund, or kept. */
export function CancelVisitsDialog({ places, isListed, chosen, onClose }: CancelVisitsDialogProps) {
  const top = useRef<HTMLDivElement>(null)
  const query = trpc.visits.inTimeOff.useQuery({}, { staleTime: 0, retry: false })
  const { data, error, isFetchedAfterMount } = query
  // The list stays fixed while the dialog is open; results are shown next to it.
  const [listed, setListed] = useState<readonly VisitInTimeOff[] | null>(null)
  if (listed === null && data !== undefined && isFetchedAfterMount) setListed(data.filter(isListed))
  return (
    <Dialog isOpen onClose={onClose} title="Visits in your time off">
      {error && listed === null && (
        <Notice kind="danger" role="alert" title="The list did not load">
          <p>{describeFailure(error).sentence}</p>
        </Notice>
      )}
      {listed === null && !error && <Skeleton className="h-64 w-full" />}
      {listed !== null && listed.length === 0 && (
        <p>No upcoming visits are booked in this time off.</p>
      )}
      {listed !== null && listed.length > 0 && (
        <CancelBody listed={listed} places={places} chosen={chosen} onClose={onClose} top={top} />
      )}
    </Dialog>
  )
}

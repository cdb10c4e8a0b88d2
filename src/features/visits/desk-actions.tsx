import { type ReactNode, useState } from 'react'
import { choiceOf, instantOfChoice, type Moment } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { type DeskChange, type DeskVisit, isUnsent } from '#contract/booking-desk.ts'
import {
  DeskDetailsForm,
  DeskMoveForm,
  NoteField,
  PatientFields,
  TimeFields,
  type TimeValues,
  typedChoice,
  zoneOf,
} from './desk-form.tsx'
import { EmailUnsent, type Unsent } from './email-unsent.tsx'
import {
  ChooseAnother,
  ChosenTime,
  longMoment,
  type RenderPicker,
  StepTitle,
  useSlotChoice,
} from './move-parts.tsx'

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
  const readNote = () => mutate({ id: visit.id })
  const note = visit.hasNote ? data?.note : ''
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => {
          if (visit.hasNote) readNote()
          setOpen(true)
        }}
      >
        Edit
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Edit this visit">
        {error && (
          <LoadNotice title="This visit can’t be edited" error={error} onRetry={readNote} />
        )}
        {note === undefined && !error && <PendingShapes shapes={['h-72']} />}
        {note !== undefined && <EditForm visit={visit} note={note} onClose={close} />}
      </Dialog>
    </>
  )
}

function CancelDialog({ visit, onClose }: { visit: DeskVisit; onClose: () => void }) {
  const { booking, availability } = trpc.useUtils()
  const { id, sequence, patient } = visit
  const cancel = trpc.booking.cancelDesk.useMutation({
    onSuccess: async ({ email }) => {
      if (!isUnsent(email)) {
        onClose()
        void showToast('The visit is cancelled.')
      }
      await Promise.all([booking.invalidate(), availability.invalidate()])
    },
  })
  if (cancel.data !== undefined && isUnsent(cancel.data.email)) {
    return (
      <Dialog isOpen onClose={onClose} title="The visit is cancelled">
        <EmailUnsent done="The visit is cancelled." email={cancel.data.email} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Cancel this visit?"
      isBusy={cancel.isPending}
      footer={
        <>
          <Button
            variant="danger"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate({ id, sequence })}
          >
            Cancel visit
          </Button>
          <Button variant="secondary" disabled={cancel.isPending} onClick={onClose}>
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
          <Notice kind="danger" role="alert" title="The visit isn’t cancelled">
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

/** A free time that was picked, or any other that was typed with its length and location. */
type RequestedTime = Moment & {
  minutes?: number
  placeId?: string
}

type TypedTimeFormProps = {
  visit: DeskVisit
  mine: Availability
  onTyped: (wish: RequestedTime) => void
  onBack: () => void
}

/** A time that is not offered: in a blocked period, outside the hours, or of another length. */
function TypedTimeForm({ visit, mine, onTyped, onBack }: TypedTimeFormProps) {
  const { startsAt, endsAt, timeZone, place } = visit
  const blank: TimeValues = {
    ...choiceOf(startsAt, timeZone),
    minutes: String((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000),
    placeId: place.id,
    which: startsAt,
  }
  const form = useForm({
    blank,
    schema: DeskMoveForm,
    send: (typed) => Promise.resolve(typed),
    onSent: ({ minutes, placeId, ...typed }) => {
      const zone = zoneOf(placeId, mine.places)
      const at = instantOfChoice(typedChoice({ ...typed, placeId }, mine.places), zone)
      if (at === undefined) return { time: errorMessage('slot_impossible') }
      return onTyped({ startsAt: at, timeZone: zone, minutes, placeId })
    },
  })
  return (
    <FormFrame form={form} label="Choose any time" failureTitle="Choose another time">
      <StepTitle takesFocus>Choose any time from today</StepTitle>
      <TimeFields form={{ text: form.text }} mine={mine} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Continue</Button>
        <Button variant="secondary" onClick={onBack}>
          Back to your free times
        </Button>
      </div>
    </FormFrame>
  )
}

type ConfirmProps = {
  visit: DeskVisit
  wish: RequestedTime
  onBack: () => void
  onDone: (moved: DeskChange) => Promise<void>
}

/** The same confirmation as for any move: both times, and who is notified. */
function Confirm({ visit, wish, onBack, onDone }: ConfirmProps) {
  const { availability } = trpc.useUtils()
  const { timeZone, startsAt, ...more } = wish
  const move = trpc.booking.moveDesk.useMutation({
    onSuccess: onDone,
    onError: () => availability.freeTimes.invalidate(),
  })
  const { id, sequence, patient } = visit
  return (
    <div className="flex flex-col gap-5">
      <ChosenTime from={visit} to={{ startsAt, timeZone }} />
      <p>
        {patient?.email
          ? 'We’ll email the patient the new time.'
          : 'Nobody is emailed: tell the patient the new time.'}
      </p>
      {move.error && (
        <Notice kind="danger" role="alert" title="The visit isn’t moved">
          <p>{describeFailure(move.error).sentence}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          isBusy={move.isPending}
          onClick={() => move.mutate({ id, sequence, slot: { startsAt }, ...more })}
        >
          Move visit
        </Button>
        <Button variant="secondary" onClick={onBack}>
          Choose another time
        </Button>
      </div>
    </div>
  )
}

type MoveProps = {
  visit: DeskVisit
  mine: Availability
  /** A time already chosen, at the visit's own location. */
  to?: Moment | undefined
  renderPicker: RenderPicker
  onClose: () => void
}

/** Moves a visit added at the desk, to a free time or any other. */
function Move({ visit, mine, to, renderPicker, onClose }: MoveProps) {
  const { booking, availability } = trpc.useUtils()
  const choosing = useSlotChoice(to)
  const [isTyping, setTyping] = useState(false)
  const [typed, setTyped] = useState<RequestedTime | null>(null)
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const picked = choosing.confirmed
  const isFirst = picked?.startsAt === to?.startsAt
  const chosen = picked && isFirst ? { ...picked, placeId: visit.place.id } : picked
  const wish = isTyping ? typed : chosen
  const back = () => {
    if (isTyping) setTyped(null)
    else choosing.back()
  }
  const done = async ({ startsAt, timeZone, email }: DeskChange) => {
    const text = `The visit is moved to ${visitMoment(startsAt, timeZone)}.`
    if (isUnsent(email)) setUnsent({ done: text, email })
    else {
      onClose()
      void showToast(text)
    }
    await Promise.all([booking.invalidate(), availability.invalidate()])
  }
  if (unsent !== null) return <EmailUnsent {...unsent} onClose={onClose} />
  if (wish !== null) return <Confirm visit={visit} wish={wish} onBack={back} onDone={done} />
  if (isTyping) {
    return (
      <TypedTimeForm visit={visit} mine={mine} onTyped={setTyped} onBack={() => setTyping(false)} />
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <ChooseAnother
        terms={{ ...visit, typeId: null }}
        choosing={choosing}
        renderPicker={renderPicker}
      />
      <div>
        <Button variant="secondary" onClick={() => setTyping(true)}>
          Choose any other time
        </Button>
      </div>
    </div>
  )
}

function MoveFrame({ onClose, children }: Pick<MoveProps, 'onClose'> & { children: ReactNode }) {
  return (
    <Dialog isOpen onClose={onClose} title="Move this visit">
      <PartBoundary
        failed="This visit can’t be moved"
        pending={<PendingShapes shapes={['h-96']} />}
      >
        {children}
      </PartBoundary>
    </Dialog>
  )
}

/** How long the provider's practice locations count as fresh. */
const mineOptions = { staleTime: 60_000 }

type DraggedProps = Omit<MoveProps, 'visit' | 'mine'> & { visitId: string }

function DraggedMove({ visitId, ...props }: DraggedProps) {
  const [[visit, mine]] = trpc.useSuspenseQueries((query) => [
    query.booking.desk({ id: visitId }, { staleTime: 0, gcTime: 0, retry: false }),
    query.availability.mine(undefined, mineOptions),
  ])
  return <Move {...props} visit={visit} mine={mine} />
}

/** Moves a desk visit that was dragged to a time in the calendar. */
export function DeskMoveDialog(props: DraggedProps) {
  return (
    <MoveFrame onClose={props.onClose}>
      <DraggedMove {...props} />
    </MoveFrame>
  )
}

/** Takes the visit of the page, as every read of it is recorded. */
function PageMove(props: Omit<MoveProps, 'mine'>) {
  const [mine] = trpc.availability.mine.useSuspenseQuery(undefined, mineOptions)
  return <Move {...props} mine={mine} />
}

/** "Move visit" on a visit added at the desk. */
function DeskMove({ visit, renderPicker }: Pick<MoveProps, 'visit' | 'renderPicker'>) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Move visit
      </Button>
      {isOpen && (
        <MoveFrame onClose={close}>
          <PageMove visit={visit} renderPicker={renderPicker} onClose={close} />
        </MoveFrame>
      )}
    </>
  )
}

import { useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { type AddDeskInput, type DeskKind, deskKindLabels } from '#contract/booking-desk.ts'
import { clockText } from '#contract/time.ts'
import { NoteField, PatientFields, TimeFields } from './desk-fields.tsx'
import { DeskForm } from './desk-form-rules.ts'

/** The time of day pointed at in the calendar, and the practice location whose hours it is in. */
type Start = { date: string; from: number; placeId?: string | null }

/** Maps error codes about the time to the field they are shown at. */
const timeCodes = {
  desk_time_taken: 'time',
  slot_impossible: 'time',
  date_passed: 'date',
  date_too_far: 'date',
  date_invalid: 'date',
} as const

/** One idempotency key per input: sent again, for instance after a lost connection, it is added once. */
function useIdempotencyKey(): (input: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return (wish) => {
    const text = JSON.stringify(wish)
    if (text !== last.current.text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}

type AddFormProps = { mine: Availability; start: Start; onClose: () => void }

type Values = {
  kind: DeskKind
  name: string
  phone: string
  date: string
  time: string
  minutes: string
  placeId: string
  note: string
  email: string
}

function AddForm({ mine, start, onClose }: AddFormProps) {
  const { client, booking, availability } = trpc.useUtils()
  const keyFor = useIdempotencyKey()
  const blank: Values = {
    kind: 'phone',
    name: '',
    phone: '',
    date: start.date,
    time: clockText(Math.min(start.from, 1_435)),
    minutes: String(mine.consultationMinutes),
    placeId: start.placeId ?? mine.places[0]?.id ?? '',
    note: '',
    email: '',
  }
  const form = useForm({
    blank,
    schema: DeskForm,
    send: ({ date, time, ...rest }) => {
      const input: AddDeskInput = { ...rest, slot: { date, time: time.slice(0, 5) } }
      const context = { idempotencyKey: keyFor(input) }
      return client.booking.addDesk.mutate(input, { context })
    },
    codeFields: timeCodes,
    onSent: async ({ startsAt, timeZone }) => {
      onClose()
      void showToast(`The visit is in your calendar: ${visitMoment(startsAt, timeZone)}.`)
      await Promise.all([booking.invalidate(), availability.invalidate()])
    },
  })
  return (
    <FormFrame form={form} label="Add a visit" failureTitle="The visit isn’t added">
      <RadioCards
        name={`${form.id}-kind`}
        legend="How did the patient get in touch?"
        isCompact
        choices={(['phone', 'walk_in'] as const).map((value) => ({
          value,
          label: deskKindLabels[value],
        }))}
        value={form.values.kind}
        onChange={(kind) => form.set('kind', kind)}
      />
      <PatientFields
        name={form.text('name')}
        phone={form.text('phone')}
        isPhoneOptional={form.values.kind === 'walk_in'}
      />
      <TimeFields form={{ text: form.text }} mine={mine} />
      <NoteField {...form.text('note')} />
      <TextInput
        type="email"
        label="Email"
        isOptional
        autoComplete="off"
        hint="We email the patient about this visit only if you enter an address."
        {...form.text('email')}
      />
      <FormButtons send="Add visit" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

/** Adds a patient who phoned or walked in to the calendar, once the practice locations are loaded. */
export function AddDeskVisit({ start, onClose }: Omit<AddFormProps, 'mine'>) {
  const { data: mine, error } = trpc.availability.mine.useQuery(undefined, { staleTime: 60_000 })
  if (error) {
    return (
      <Notice kind="danger" role="alert" title="Your places did not load">
        <p>{describeFailure(error).sentence}</p>
      </Notice>
    )
  }
  if (mine === undefined) return <Skeleton className="h-96 w-full" />
  return <AddForm mine={mine} start={start} onClose={onClose} />
}

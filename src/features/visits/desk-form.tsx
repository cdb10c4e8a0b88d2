import { type ComponentProps, useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  choiceOf,
  formatWallTime,
  instantsOf,
  mainZoneOf,
  type SlotChoice,
  slotChoiceOf,
  slotTimeOf,
  wallTime,
} from '#app/lib/dates/slot-choice.ts'
import { zoneLabel } from '#app/lib/format/dates.ts'
import { type Form, useForm } from '#app/lib/forms/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { RadioCards, Select, TextArea, TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'
import {
  AddDeskInput,
  DESK_MINUTES,
  DeskKind,
  deskKindLabels,
  EditDeskInput,
  isUnsent,
} from '#contract/booking-desk.ts'
import { EmailUnsent, type Unsent } from './email-unsent.tsx'

/**
 * The time of day pointed at in the calendar, in the zone of the main place, and the practice location whose hours it
 * is in.
 */
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

type AddFormProps = {
  mine: Availability
  start: Start
  /** False while another form is shown in its place: what was typed stays. */
  isShown: boolean
  onClose: () => void
}

type Values = {
  kind: DeskKind
  name: string
  phone: string
  date: string
  time: string
  minutes: string
  placeId: string
  which: string
  note: string
  email: string
}

function AddForm({ mine, start, isShown, onClose }: AddFormProps) {
  const { client, booking, availability } = trpc.useUtils()
  const keyFor = useIdempotencyKey()
  const placeId = start.placeId ?? mine.places[0]?.id ?? ''
  const blank: Values = {
    kind: 'phone',
    name: '',
    phone: '',
    ...startAt(start, placeId, mine.places),
    minutes: String(mine.consultationMinutes),
    placeId,
    note: '',
    email: '',
  }
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const form = useForm({
    blank,
    schema: DeskForm,
    send: ({ date, time, which, ...rest }) => {
      const typed = { date, time, which, placeId: rest.placeId }
      const slot = slotTimeOf(typedChoice(typed, mine.places))
      const input: AddDeskInput = { ...rest, slot }
      const context = { idempotencyKey: keyFor(input) }
      return client.booking.addDesk.mutate(input, { context })
    },
    codeFields: timeCodes,
    onSent: async ({ startsAt, timeZone, email }) => {
      const done = `The visit is in your calendar: ${visitMoment(startsAt, timeZone)}.`
      // The dialog may be closed by now.
      void showToast(done)
      if (isUnsent(email)) setUnsent({ done, email })
      else onClose()
      await Promise.all([booking.invalidate(), availability.invalidate()])
    },
  })
  if (unsent !== null) return <EmailUnsent {...unsent} onClose={onClose} />
  if (!isShown) return null
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
        hint="We email the patient about this visit only if you enter an address, and once your registration is verified."
        {...form.text('email')}
      />
      <FormButtons send="Add visit" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

type AddDeskVisitProps = Omit<AddFormProps, 'mine'>

function LoadedAddDeskVisit(props: AddDeskVisitProps) {
  const [mine] = trpc.availability.mine.useSuspenseQuery(undefined, { staleTime: 60_000 })
  return <AddForm {...props} mine={mine} />
}

/** Adds a patient who phoned or walked in to the calendar, once the practice locations are loaded. */
export function AddDeskVisit(props: AddDeskVisitProps) {
  return (
    <PartBoundary failed="Your places didn’t load" pending={<PendingShapes shapes={['h-96']} />}>
      <LoadedAddDeskVisit {...props} />
    </PartBoundary>
  )
}

type Text = ComponentProps<typeof TextInput> & { error: string | undefined }

type PatientFieldsProps = {
  name: Omit<Text, 'label'>
  phone: Omit<Text, 'label'>
  /** A walk-in need not be called back. */
  isPhoneOptional: boolean
}

/** The patient's name and phone number. */
export function PatientFields({ name, phone, isPhoneOptional }: PatientFieldsProps) {
  return (
    <>
      <TextInput label="Patient’s name" autoComplete="off" {...name} />
      <TextInput
        type="tel"
        label="Phone number"
        autoComplete="off"
        isOptional={isPhoneOptional}
        className="max-w-64"
        {...phone}
      />
    </>
  )
}

/** The desk's note on the visit. */
export function NoteField(note: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return (
    <TextArea
      label="Note"
      isOptional
      hint="Only you can see it. We record each time it’s read."
      rows={2}
      className="min-h-20!"
      {...note}
    />
  )
}

export type TimeValues = {
  date: string
  time: string
  minutes: string
  placeId: string
  /** The instant meant, where clocks show the time twice that day; empty for the first. */
  which: string
}

type TypedTime = Pick<TimeValues, 'date' | 'time' | 'placeId'>
type Places = Availability['places']

export const zoneOf = (placeId: string, places: Places): string =>
  (places.find(({ id }) => id === placeId) ?? places[0])?.timeZone ?? 'UTC'

/** The fields of a time pointed at, local to the place. */
function startAt({ date, from }: Start, placeId: string, places: Places) {
  const wall = { date, time: clockText(Math.min(from, 1_435)) }
  const [instant] = instantsOf(wall, mainZoneOf({ places }))
  return {
    ...(instant === undefined ? wall : choiceOf(instant, zoneOf(placeId, places))),
    which: '',
  }
}

/** Both instants of a time that the place's clocks show twice that day; none of any other time. */
function repeatedAt({ date, time, placeId }: TypedTime, places: Places): string[] {
  const instants = instantsOf({ date, time: time.slice(0, 5) }, zoneOf(placeId, places))
  return instants.length > 1 ? instants : []
}

/** The time typed: of one that clocks show twice, the one meant, else the first. */
export function typedChoice(
  { which, ...moment }: TypedTime & Pick<TimeValues, 'which'>,
  places: Places,
): SlotChoice {
  const repeated = repeatedAt(moment, places)
  const at = repeated.includes(which) ? which : repeated[0]
  if (at !== undefined) return slotChoiceOf(at, zoneOf(moment.placeId, places))
  return { date: moment.date, time: moment.time.slice(0, 5) }
}

type TimeFieldsProps = {
  form: Pick<Form<TimeValues>, 'text'>
  mine: Pick<Availability, 'today' | 'places'>
}

/**
 * Date, time, length and, if there are several, the location: any time from today on, offered or not. A time
 * that clocks show twice is asked about.
 */
export function TimeFields({ form, mine }: TimeFieldsProps) {
  const [date, time, placeId] = [form.text('date'), form.text('time'), form.text('placeId')]
  const which = form.text('which')
  const moment = { date: date.value, time: time.value, placeId: placeId.value }
  const repeated = repeatedAt(moment, mine.places)
  const [first = ''] = repeated
  const timeZone = zoneOf(placeId.value, mine.places)
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-6">
        <TextInput type="date" label="Day" min={mine.today} className="max-w-44" {...date} />
        <TextInput type="time" label="Time" step={300} className="max-w-36" {...time} />
        <TextInput
          type="number"
          inputMode="numeric"
          label="Minutes"
          min={5}
          max={480}
          step={5}
          className="max-w-28"
          {...form.text('minutes')}
        />
      </div>
      {repeated.length > 0 && (
        <Select
          label={`Which ${formatWallTime(time.value.slice(0, 5), timeZone)}?`}
          hint="The clocks go back that day, so this time occurs twice."
          {...which}
          value={repeated.includes(which.value) ? which.value : first}
        >
          {repeated.map((at) => (
            <option key={at} value={at}>
              {formatWallTime(wallTime(at, timeZone), timeZone)} ({zoneLabel(at, timeZone)})
            </option>
          ))}
        </Select>
      )}
      {mine.places.length > 1 && (
        <Select label="Place" {...placeId}>
          {mine.places.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </>
  )
}

/** A text field, whose empty value counts as omitted. */
const optionalText = z.pipe(
  z.string(),
  z.transform((text: string) => (text === '' ? undefined : text)),
)

const minutesError = `Choose between ${DESK_MINUTES.least} and ${DESK_MINUTES.most} minutes.`

/** The fields of date and time, as typed. */
const timeShape = {
  date: z.iso.date({ error: 'date_invalid' }),
  time: z.string().check(z.regex(/^\d{2}:\d{2}/, { error: 'Enter a time.' })),
  minutes: z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/, { error: minutesError })),
    z.pipe(
      z.transform(Number),
      z
        .number()
        .check(
          z.minimum(DESK_MINUTES.least, { error: minutesError }),
          z.maximum(DESK_MINUTES.most, { error: minutesError }),
        ),
    ),
  ),
  placeId: z.string(),
  which: z.string(),
}

const { name } = AddDeskInput.shape
const phone = z.pipe(optionalText, AddDeskInput.shape.phone)
const email = z.pipe(optionalText, AddDeskInput.shape.email)

const DeskForm = z
  .object({
    kind: DeskKind,
    name,
    phone,
    ...timeShape,
    note: AddDeskInput.shape.note,
    email,
  })
  .check(
    z.refine(({ kind, phone: number }) => kind !== 'phone' || number !== undefined, {
      error: 'Enter the patient’s phone number.',
      path: ['phone'],
    }),
  )

export const DeskMoveForm = z.object(timeShape)

export const DeskDetailsForm = z.object({
  name,
  phone,
  note: EditDeskInput.shape.note,
})

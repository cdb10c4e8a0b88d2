import type { ComponentProps } from 'react'
import type { Form } from '#app/lib/use-form.ts'
import { Select } from '#app/ui/select.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { Availability } from '#contract/availability.ts'

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

export type TimeValues = { date: string; time: string; minutes: string; placeId: string }

type TimeFieldsProps = {
  form: Pick<Form<TimeValues>, 'text'>
  mine: Pick<Availability, 'today' | 'places'>
}

/** Date, time, length and, if there are several, the location: any time from today on, offered or not. */
export function TimeFields({ form, mine }: TimeFieldsProps) {
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-6">
        <TextInput
          type="date"
          label="Day"
          min={mine.today}
          className="max-w-44"
          {...form.text('date')}
        />
        <TextInput
          type="time"
          label="Time"
          step={300}
          className="max-w-36"
          {...form.text('time')}
        />
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
      {mine.places.length > 1 && (
        <Select label="Place" {...form.text('placeId')}>
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

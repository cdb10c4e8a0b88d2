import * as z from 'zod/mini'
import { StaleHelp } from '#app/features/availability/own/page-states.tsx'
import { useConfirmedChange } from '#app/features/availability/own/use-mine.tsx'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { sentenceFor } from '#contract/sentences.ts'

type Absence = Availability['absences'][number]

const Away = z
  .object({
    /** Empty is every place. */
    placeId: z.string(),
    from: z.iso.date({ error: 'date_invalid' }),
    to: z.iso.date({ error: 'date_invalid' }),
    note: z.string().check(z.trim(), z.maxLength(200, { error: 'Use at most 200 characters.' })),
  })
  .check(
    z.refine(({ from, to }) => to >= from, { error: sentenceFor('dates_inverted'), path: ['to'] }),
  )

type AbsenceFormProps = {
  mine: Availability
  /** The absence to change; a new one when left out. */
  absence: Absence | null
  /** The visits that are to be cancelled, once the time off is saved. */
  onCancelVisits: (ids: string[]) => void
  onClose: () => void
}

/** Days away, from one to the other, from one place or all of them. */
export function AbsenceForm({ mine, absence, onCancelVisits, onClose }: AbsenceFormProps) {
  const { client } = trpc.useUtils()
  const { send, question } = useConfirmedChange(mine.places, onCancelVisits)
  const form = useForm({
    blank: {
      from: absence?.from ?? '',
      to: absence?.to ?? '',
      placeId: absence?.placeId ?? '',
      note: absence?.note ?? '',
    },
    schema: Away,
    // One day needs one date.
    toInput: (values) => ({ ...values, to: values.to === '' ? values.from : values.to }),
    send: ({ placeId, ...input }) =>
      send((confirmed) =>
        client.availability.addAbsence.mutate({
          ...input,
          placeId: placeId === '' ? null : placeId,
          version: mine.version,
          confirmed,
          ...(absence !== null && { replaces: absence.id }),
        }),
      ),
    codeFields: { date_too_far: 'to', date_invalid: 'from' },
    onSent: ({ saved }) => {
      if (!saved) return
      onClose()
      void showToast(absence === null ? 'Your time off is added.' : 'Your time off is saved.')
    },
  })
  return (
    <>
      <FormFrame
        form={form}
        label={absence === null ? 'Time off' : 'Change time off'}
        failureTitle="Not saved"
      >
        <StaleHelp failure={form.failure} />
        <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
          <TextInput type="date" label="First day" {...form.text('from')} />
          <TextInput
            type="date"
            label="Last day"
            isOptional
            min={form.values.from}
            {...form.text('to')}
          />
        </div>
        {mine.places.length > 1 && (
          <Select
            id={`${form.id}-placeId`}
            label="Place"
            value={form.values.placeId}
            onChange={({ target }) => form.set('placeId', target.value)}
          >
            <option value="">All places</option>
            {mine.places.map(({ id: placeId, name, locality }) => (
              <option key={placeId} value={placeId}>
                {name}, {locality}
              </option>
            ))}
          </Select>
        )}
        <TextInput
          label="Note"
          isOptional
          hint="Only you see it."
          maxLength={200}
          {...form.text('note')}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isBusy={form.isBusy}>
            {absence === null ? 'Add this time off' : 'Save time off'}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </FormFrame>
      {question}
    </>
  )
}

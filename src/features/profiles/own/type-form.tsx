import { formatMajorUnits, parseMinorUnits } from '#app/lib/format.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import { type OwnVisitType, SaveVisitTypeInput, VisitTypeMode } from '#contract/profiles-types.ts'
import { useUpdateOwnProfile } from './own-section.tsx'

const ALL_PLACES = ''

export const typeModeLabels: Record<VisitTypeMode, string> = {
  both: 'Any way you see patients',
  in_person: 'In person only',
  video: 'By video only',
}

const parseWhole = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)

type TypeFormProps = {
  profile: OwnProfile
  /** The type to edit; a new one if omitted. */
  type?: OwnVisitType
  /** The first type is offered at every location. */
  isFirst?: boolean
  onClose: () => void
}

/** Name, length, fees, mode and location of a visit type. */
export function TypeForm({ profile, type, isFirst = false, onClose }: TypeFormProps) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  const { places, currency } = profile
  const mode: VisitTypeMode = type?.mode ?? 'both'
  const form = useForm({
    blank: {
      name: type?.name ?? '',
      minutes: String(type?.minutes ?? profile.consultation_minutes),
      amount: type === undefined ? '' : formatMajorUnits(type.amount),
      follow_amount: type === undefined ? '' : formatMajorUnits(type.follow_amount),
      mode,
      placeId: type?.placeId ?? ALL_PLACES,
    },
    schema: SaveVisitTypeInput,
    toInput: (values) => ({
      ...values,
      ...(type !== undefined && { typeId: type.id }),
      minutes: parseWhole(values.minutes),
      amount: parseMinorUnits(values.amount),
      follow_amount: parseMinorUnits(values.follow_amount),
      placeId: values.placeId === ALL_PLACES ? null : values.placeId,
    }),
    send: (input) => client.profiles.saveVisitType.mutate(input),
    codeFields: { visit_type_unfit: 'placeId' },
    onSent: async (answer) => {
      await updateProfile(answer)
      onClose()
      void showToast(type === undefined ? 'The visit type is added.' : 'The visit type is saved.')
    },
  })
  const unit = currency === 'GBP' ? 'pounds' : 'dollars'
  const number = { autoComplete: 'off', className: 'tabular max-w-44' } as const
  return (
    <FormFrame
      form={form}
      label={type === undefined ? 'New visit type' : type.name}
      failureTitle="Not saved"
    >
      <TextInput
        label="Name"
        hint="What patients choose from, such as “New patient check-up”."
        autoComplete="off"
        {...form.text('name')}
      />
      <TextInput
        label="Length, in minutes"
        hint="Free times are as long as your shortest type. A longer one takes several in a row."
        inputMode="numeric"
        {...number}
        {...form.text('minutes')}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput
          label={`New patient, in ${unit}`}
          inputMode="decimal"
          {...number}
          {...form.text('amount')}
        />
        <TextInput
          label={`Follow-up, in ${unit}`}
          inputMode="decimal"
          {...number}
          {...form.text('follow_amount')}
        />
      </div>
      <Select
        id={`${form.id}-mode`}
        label="How patients can have it"
        error={form.errors['mode']}
        className="max-w-sm"
        value={form.values.mode}
        onChange={({ target }) => form.set('mode', VisitTypeMode.parse(target.value))}
      >
        {VisitTypeMode.options.toReversed().map((one) => (
          <option key={one} value={one}>
            {typeModeLabels[one]}
          </option>
        ))}
      </Select>
      {places.length > 1 && !isFirst && (
        <Select
          id={`${form.id}-placeId`}
          label="Where you offer it"
          error={form.errors['placeId']}
          className="max-w-sm"
          value={form.values.placeId}
          onChange={({ target }) => form.set('placeId', target.value)}
        >
          <option value={ALL_PLACES}>At every place</option>
          {places.map((place) => (
            <option key={place.id} value={place.id}>
              Only at {place.hospital_name}
            </option>
          ))}
        </Select>
      )}
      <FormButtons
        send={type === undefined ? 'Add visit type' : 'Save visit type'}
        isBusy={form.isBusy}
        onCancel={onClose}
      />
    </FormFrame>
  )
}

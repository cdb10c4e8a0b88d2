import { useForm } from '#app/lib/use-form.ts'
import { PracticeFields } from '#app/parts/provider-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { AddPlaceInput, type OwnProfile } from '#contract/profiles-own.ts'
import { FormEnd } from './own-section.tsx'
import { useOwnSaved } from './use-own-profile.ts'

type Place = OwnProfile['places'][number]

type PlaceFormProps = {
  region: OwnProfile['region']
  /** The place to correct; a new one when left out. */
  place?: Place
  onClose: () => void
}

/** Name, address and phone of a practice place. */
export function PlaceForm({ region, place, onClose }: PlaceFormProps) {
  const { client } = trpc.useUtils()
  const saved = useOwnSaved()
  const form = useForm({
    blank: {
      hospital_name: place?.hospital_name ?? '',
      address: place?.address ?? '',
      postcode: place?.postcode ?? '',
      phone: place?.phone ?? '',
    },
    schema: AddPlaceInput,
    toInput: ({ phone, ...rest }) => ({ ...rest, ...(phone.trim() !== '' && { phone }) }),
    send: (input) =>
      place === undefined
        ? client.profiles.addPlace.mutate(input)
        : client.profiles.editPlace.mutate({ ...input, placeId: place.id }),
    codeFields: { place_in_use: 'postcode' },
    onSent: async (answer) => {
      await saved(answer)
      onClose()
      void showToast(place === undefined ? 'The place is added.' : 'The place is saved.')
    },
  })
  return (
    <FormFrame
      form={form}
      label={place === undefined ? 'Another place' : place.hospital_name}
      failureTitle="Not saved"
    >
      <PracticeFields text={form.text} region={region} />
      <TextInput
        type="tel"
        inputMode="tel"
        label="Practice phone"
        hint="Public: patients see it on your profile, with their visit and in their confirmation email."
        isOptional
        autoComplete="tel"
        {...form.text('phone')}
      />
      <FormEnd
        isBusy={form.isBusy}
        onCancel={onClose}
        save={place === undefined ? 'Add place' : 'Save place'}
      />
    </FormFrame>
  )
}

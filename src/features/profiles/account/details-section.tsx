import { useSelectedRegion } from '#app/lib/selected-region.ts'
import { useForm } from '#app/lib/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { DateFields } from '#app/ui/date-fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Select } from '#app/ui/select.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { UpdateDetailsInput } from '#contract/profiles.ts'
import { RADII } from '#contract/search.ts'
import { AccountSection } from './account-section.tsx'

/** Name, phone, birthday and the default search radius. */
export function DetailsSection() {
  return (
    <AccountSection id="details" title="Your details">
      <DataBoundary failed="Your details didn’t load" pending={<PendingShapes shapes={['h-96']} />}>
        <DetailsForm />
      </DataBoundary>
    </AccountSection>
  )
}

function DetailsForm() {
  const [details] = trpc.profiles.details.useSuspenseQuery()
  const utils = trpc.useUtils()
  const invalidateMe = useInvalidateMe()
  const region = useSelectedRegion()
  const form = useForm({
    blank: {
      first_name: details.first_name,
      last_name: details.last_name,
      phone_number: details.phone_number,
      date_of_birth: details.date_of_birth ?? '',
      default_radius: String(details.default_radius),
    },
    schema: UpdateDetailsInput,
    toInput: ({ date_of_birth, default_radius, ...rest }) => ({
      ...rest,
      ...(date_of_birth !== '' && { date_of_birth, selectedRegion: region }),
      default_radius: Number(default_radius),
    }),
    send: async (input) => {
      await utils.client.profiles.updateDetails.mutate(input)
      return input
    },
    onSent: async ({ first_name, last_name, phone_number }) => {
      // Names are normalised when stored: "ann" becomes "Ann".
      form.set('first_name', first_name)
      form.set('last_name', last_name)
      form.set('phone_number', phone_number)
      await Promise.all([utils.profiles.details.invalidate(), invalidateMe()])
      void showToast('Your details are saved.')
    },
  })
  return (
    <FormFrame form={form} label="Your details" failureTitle="Not saved">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput label="First name" autoComplete="given-name" {...form.text('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.text('last_name')} />
      </div>
      <TextInput
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        label="Phone number"
        {...form.text('phone_number')}
      />
      <DateFields
        label="Date of birth"
        region={region}
        isBirthday
        {...form.text('date_of_birth')}
      />
      <div className="max-w-52">
        <Select label="Usual search distance" {...form.text('default_radius')}>
          {RADII.map((radius) => (
            <option key={radius} value={radius}>
              {radius === 1 ? '1 mile' : `${radius} miles`}
            </option>
          ))}
        </Select>
      </div>
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Save details
        </Button>
      </div>
    </FormFrame>
  )
}

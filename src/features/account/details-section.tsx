import { useState } from 'react'
import { plural } from '#app/lib/format/words.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useSelectedRegion } from '#app/lib/visitor-place.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { NameFields, nameInput, nameValues } from '#app/parts/name-fields.tsx'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { DateFields, PasswordInput } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { ChangeEmailInput, type Me } from '#contract/auth.ts'
import { UpdateDetailsInput } from '#contract/profiles.ts'
import { RADII } from '#contract/search.ts'
import { AccountSection, RevealedForm, UsernameHint } from './account-section.tsx'

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
      ...nameValues(details.first_name, details.last_name),
      phone_number: details.phone_number,
      date_of_birth: details.date_of_birth ?? '',
      default_radius: String(details.default_radius),
    },
    schema: UpdateDetailsInput,
    toInput: ({ date_of_birth, default_radius, ...rest }) => ({
      ...nameInput(rest),
      // Only an account without one may stay without one.
      ...((date_of_birth !== '' || details.date_of_birth !== null) && {
        date_of_birth,
        selectedRegion: region,
      }),
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
      <NameFields form={form} />
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
              {plural(radius, 'mile')}
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

/** A new address takes effect once the link emailed to it has been followed. */
export function EmailSection({ me }: { me: Me }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <AccountSection
      id="email"
      title="Email"
      lead="You sign in with this address, and it’s where we email you."
    >
      <RevealedForm
        now={<p className="font-medium wrap-anywhere">{me.email}</p>}
        action="Change email"
      >
        {(close) => (
          <EmailForm
            email={me.email}
            onClose={close}
            onSent={(to) => {
              setSentTo(to)
              close()
            }}
          />
        )}
      </RevealedForm>
      {/* Rendered from the start, so that screen readers announce what appears in it. */}
      <div role="status">
        {sentTo && (
          <Notice kind="ok" title="Check your new email address" className="mt-4">
            <p>
              We’ve sent a link to <span className="wrap-anywhere">{sentTo}</span>. Your address
              changes once you open it.
            </p>
          </Notice>
        )}
      </div>
    </AccountSection>
  )
}

type EmailFormProps = { email: string; onClose: () => void; onSent: (to: string) => void }

function EmailForm({ email, onClose, onSent }: EmailFormProps) {
  const { client } = trpc.useUtils()
  const form = useForm({
    blank: { email: '', password: '' },
    schema: ChangeEmailInput,
    send: async (input) => {
      await client.auth.changeEmail.mutate(input)
      return input.email
    },
    onSent,
    codeFields: { password_wrong: 'password' },
  })
  return (
    <FormFrame form={form} label="Change email" failureTitle="Nothing was changed">
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="New email"
        {...form.text('email')}
      />
      <UsernameHint email={email} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.text('password')}
      />
      <FormButtons send="Change email" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

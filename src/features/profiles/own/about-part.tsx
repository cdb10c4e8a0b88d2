import { type RefObject, useRef, useState } from 'react'
import { languageName } from '#app/lib/format/words.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { bodyNames, genderNames } from '#app/lib/visit-text.ts'
import { NameFields, nameInput, nameValues } from '#app/parts/name-fields.tsx'
import { aboutCounter, GenderSelect, LanguagePicker } from '#app/parts/provider-fields.tsx'
import { useSpecialities, useSpecialityList } from '#app/parts/use-specialities.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Select, TextArea, TextInput } from '#app/ui/fields.tsx'
import { ListEditor } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { ProfessionalBody } from '#contract/base/people.ts'
import { UpdateAboutInput } from '#contract/base/provider.ts'
import { bodyFacts } from '#contract/profiles.ts'
import { type OwnProfile, titlesOf, UpdateIdentityInput } from '#contract/profiles-own.ts'
import { Facts, OwnSection, useUpdateOwnProfile } from './own-section.tsx'

type PartProps = { profile: OwnProfile }

const findBody = (name: string) => ProfessionalBody.options.find((one) => one === name)

/** Name, specialty and registration: the fields the register check uses. */
export function IdentityPart({ profile }: PartProps) {
  const specialities = useSpecialities(profile.region)
  const specialty = specialities.find(({ slug }) => slug === profile.specialty)
  const isLoaded = specialities.length > 0
  const unlisted = isLoaded
    ? 'No speciality information available'
    : profile.specialty.replaceAll('-', ' ')
  const { professional_body_name: name, membership_number: number } = profile.registed_with
  const body = findBody(name)
  return (
    <OwnSection
      id="identity"
      title="Name and registration"
      renderForm={(close) => <IdentityForm profile={profile} onClose={close} />}
    >
      <Facts
        rows={[
          ['Name', profile.shownName],
          ['Specialty', specialty?.name ?? unlisted],
          ['Registered with', body === undefined ? name : bodyNames[body]],
          [
            'Registration number',
            <span className="tabular" key="number">
              {number}
            </span>,
          ],
        ]}
      />
    </OwnSection>
  )
}

type FormProps = PartProps & { onClose: () => void }

/** `confirmed` is a ref because the press that confirms also submits: it is read on submit. */
function useIdentityForm({ profile, onClose }: FormProps, confirmed: RefObject<boolean>) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  return useForm({
    blank: {
      title: profile.title ?? '',
      ...nameValues(profile.first_name, profile.last_name),
      specialty: profile.specialty,
      registed_with: profile.registed_with,
    },
    schema: UpdateIdentityInput,
    toInput: ({ title, ...rest }) => ({
      ...nameInput(rest),
      title: title === '' ? null : title,
    }),
    send: (input) =>
      client.profiles.updateIdentity.mutate({ ...input, confirmed: confirmed.current }),
    onSent: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast('Your name and registration are saved.')
    },
  })
}

function IdentityForm({ profile, onClose }: FormProps) {
  const confirmed = useRef(false)
  /** The attempt whose confirmation was dismissed: the next one asks again. */
  const [seen, setSeen] = useState(0)
  const form = useIdentityForm({ profile, onClose }, confirmed)
  const { specialities, error, retry } = useSpecialityList(profile.region)
  const bodies = ProfessionalBody.options.filter((one) => bodyFacts[one].region === profile.region)
  const body = findBody(form.values.registed_with.professional_body_name)
  // This error asks for confirmation: it opens a dialog instead of an error message.
  const isAsked =
    form.failure?.code === 'profile_needs_check' && seen !== form.attempts && !form.isBusy
  const shown = isAsked ? { ...form, failure: null } : form
  return (
    <FormFrame form={shown} label="Name and registration" failureTitle="Not saved">
      {profile.verification_status === 'Verified' && (
        <Notice title="Changing your name, specialty or number">
          <p>
            Your profile will be hidden from patients until we’ve checked it again. Visits already
            booked stay booked.
          </p>
        </Notice>
      )}
      <Select label="Title" isOptional className="max-w-40" {...form.text('title')}>
        <option value="">None</option>
        {titlesOf[profile.region].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Select>
      <NameFields form={form} hint="As it appears on the register." />
      {error && <LoadNotice title="The specialties didn’t load" error={error} onRetry={retry} />}
      <Select label="Specialty" {...form.text('specialty')}>
        {specialities.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </Select>
      <Select label="Professional body" {...form.text('registed_with.professional_body_name')}>
        {bodies.map((one) => (
          <option key={one} value={one}>
            {bodyNames[one]}
          </option>
        ))}
      </Select>
      <TextInput
        label="Registration number"
        hint={body && bodyFacts[body].rule}
        inputMode="numeric"
        autoComplete="off"
        className="tabular max-w-52"
        {...form.text('registed_with.membership_number')}
      />
      <FormButtons send="Save" isBusy={form.isBusy} onCancel={onClose} />
      <Dialog
        isOpen={isAsked}
        onClose={() => setSeen(form.attempts)}
        title="Hide your profile until it is checked?"
        footer={
          <>
            <Button
              onClick={() => {
                confirmed.current = true
                form.submit()
              }}
            >
              Save and hide until checked
            </Button>
            <Button variant="secondary" onClick={() => setSeen(form.attempts)}>
              Go back
            </Button>
          </>
        }
      >
        <p>{form.failure?.sentence}</p>
      </Dialog>
    </FormFrame>
  )
}

/** What providers say about themselves. */
export function AboutPart({ profile }: { profile: OwnProfile }) {
  const { about, qualifications, affiliations, languages, gender } = profile
  return (
    <OwnSection
      id="about"
      title="About you"
      renderForm={(close) => <AboutForm profile={profile} onClose={close} />}
    >
      <p className="max-w-prose whitespace-pre-line">
        {about || <span className="text-muted">Nothing yet.</span>}
      </p>
      <div className="mt-5">
        <Facts
          rows={[
            ['Qualifications', <Lines key="qualifications" of={qualifications} />],
            ['Societies and memberships', <Lines key="affiliations" of={affiliations} />],
            ['Languages', languages.map(languageName).join(', ') || 'None yet'],
            ['Gender', gender === null ? 'Prefer not to say' : genderNames[gender]],
          ]}
        />
      </div>
    </OwnSection>
  )
}

/** One entry a line: qualifications hold commas of their own. */
function Lines({ of: lines }: { of: readonly string[] }) {
  if (lines.length === 0) return <>None yet</>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const asList = (items: readonly string[]): readonly string[] => items

/** Adds a blank line to an empty list, so that there is a field to type in. */
const atLeastOne = (items: readonly string[]) => asList(items.length > 0 ? items : [''])

function AboutForm({ profile, onClose }: { profile: OwnProfile; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  const form = useForm({
    blank: {
      about: profile.about,
      qualifications: atLeastOne(profile.qualifications),
      affiliations: atLeastOne(profile.affiliations),
      languages: asList(profile.languages),
      gender: profile.gender ?? '',
    },
    schema: UpdateAboutInput,
    toInput: ({ gender, affiliations, ...rest }) => ({
      ...rest,
      // Nobody has to belong to one: a line left blank is none.
      affiliations: affiliations.filter((line) => line.trim() !== ''),
      ...(gender !== '' && { gender }),
    }),
    send: (input) => client.profiles.updateAbout.mutate(input),
    onSent: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast('Your profile is saved.')
    },
  })
  return (
    <FormFrame form={form} label="About you" failureTitle="Not saved">
      <TextArea
        label="How you work"
        hint="A few sentences in your own words: who you see, what you’re good at."
        counter={aboutCounter(form.values.about)}
        {...form.text('about')}
      />
      <ListEditor
        id={`${form.id}-qualifications`}
        legend="Qualifications"
        noun="qualification"
        hint="One to a line, such as MBBS or MRCGP."
        longest={12}
        items={form.values.qualifications}
        errors={form.errors}
        onChange={(qualifications) => form.set('qualifications', qualifications)}
        onLeave={(path) => form.leave(path)}
      />
      <ListEditor
        id={`${form.id}-affiliations`}
        legend="Societies and memberships"
        noun="society"
        hint="One to a line, such as British Medical Association. Leave it blank if you have none."
        longest={12}
        items={form.values.affiliations}
        errors={form.errors}
        onChange={(affiliations) => form.set('affiliations', affiliations)}
        onLeave={(path) => form.leave(path)}
      />
      <LanguagePicker
        id={`${form.id}-languages`}
        languages={form.values.languages}
        error={form.errors['languages']}
        onChange={(languages) => form.set('languages', languages)}
      />
      <GenderSelect text={form.text} />
      <FormButtons send="Save" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

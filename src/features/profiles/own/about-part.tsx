import { languageName } from '#app/lib/format.ts'
import { useForm } from '#app/lib/use-form.ts'
import { genderNames } from '#app/lib/visit-text.ts'
import { LanguagePicker } from '#app/parts/language-picker.tsx'
import { GenderSelect } from '#app/parts/provider-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { ListEditor } from '#app/ui/list-editor.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type OwnProfile, UpdateAboutInput } from '#contract/profiles-own.ts'
import { Facts, OwnSection, useUpdateOwnProfile } from './own-section.tsx'

const MAX_ABOUT_LENGTH = 1_500
const count = new Intl.NumberFormat('en-GB')

/** What providers say about themselves. */
export function AboutPart({ profile }: { profile: OwnProfile }) {
  const { about, qualifications, languages, gender } = profile
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
  if (lines.length === 0) return 'None yet'
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
      languages: asList(profile.languages),
      gender: profile.gender ?? '',
    },
    schema: UpdateAboutInput,
    toInput: ({ gender, ...rest }) => ({ ...rest, ...(gender !== '' && { gender }) }),
    send: (input) => client.profiles.updateAbout.mutate(input),
    onSent: async (answer) => {
      await updateProfile(answer)
      onClose()
      void showToast('Your profile is saved.')
    },
  })
  return (
    <FormFrame form={form} label="About you" failureTitle="Not saved">
      <TextArea
        label="How you work"
        hint="A few sentences in your own words: who you see, what you’re good at."
        counter={`${count.format(form.values.about.length)} of ${count.format(MAX_ABOUT_LENGTH)} characters`}
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

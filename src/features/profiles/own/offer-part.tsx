import type { ComponentProps } from 'react'
import { formatMajorUnits, formatMoney, parseMinorUnits } from '#app/lib/format/money.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { policySentence } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { RadioCards, Select, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { RemovableChip } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { statesText, US_STATES } from '#contract/base/us-states.ts'
import { type OwnProfile, UpdateOfferInput } from '#contract/profiles-own.ts'
import type { VisitMode } from '#contract/search.ts'
import { Facts, OwnSection, parseWhole, useUpdateOwnProfile } from './own-section.tsx'

const modeNames: Record<VisitMode, string> = { in_person: 'In person', video: 'By video' }

const followUps = {
  trust: 'Anyone who says they’ve seen you before',
  require_history: 'Only patients who completed a visit booked here',
} as const

/** What a visit costs, how long it takes, how it can take place, and what cancelling does. */
export function OfferPart({ profile }: { profile: OwnProfile }) {
  const { amount, follow_amount, currency, consultation_minutes: minutes } = profile
  const cancellation = {
    freeHours: profile.free_cancel_hours,
    latePercent: profile.late_cancel_percent,
  }
  return (
    <OwnSection
      id="fees"
      title="Fees and visits"
      lead="Changes don’t affect visits that are already held or booked."
      renderForm={(close) => <OfferForm profile={profile} onClose={close} />}
    >
      <Facts
        rows={[
          ...(hasSeveralTypes(profile)
            ? [['Fees and length', 'See your visit types'] satisfies [string, string]]
            : ([
                ['First visit', formatMoney({ minor: amount, currency })],
                ['Follow-up', formatMoney({ minor: follow_amount, currency })],
                ['Length', `${minutes} minutes`],
              ] satisfies [string, string][])),
          [
            'How you see patients',
            profile.modes.map((mode) => modeNames[mode]).join(' · ') || 'None yet',
          ],
          ...(profile.modes.includes('video')
            ? [['Video visits', videoText(profile)] satisfies [string, string]]
            : []),
          ...(profile.modes.includes('video') && profile.region === 'usa'
            ? [['Licensed in', statesText(profile.licensed_states)] satisfies [string, string]]
            : []),
          ['Follow-up fee for', followUps[profile.follow_up_policy]],
          ['Cancelling', policySentence(cancellation)],
          ['Missed visit', missedSentence(profile.no_show_percent)],
        ]}
      />
    </OwnSection>
  )
}

/** With several types each has its own fees and length, edited with the type. */
function hasSeveralTypes({ visitTypes }: OwnProfile): boolean {
  return visitTypes.filter(({ isArchived }) => !isArchived).length > 1
}

function missedSentence(percent: number): string {
  if (percent === 0) return 'Refunded in full'
  return percent === 100 ? 'Not refunded' : `${percent}% of the fee is charged`
}

const asModes = (modes: readonly VisitMode[]): readonly VisitMode[] => modes

const asCodes = (codes: readonly string[]): readonly string[] => codes

function OfferForm({ profile, onClose }: { profile: OwnProfile; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  const form = useForm({
    blank: {
      amount: formatMajorUnits(profile.amount),
      follow_amount: formatMajorUnits(profile.follow_amount),
      consultation_minutes: String(profile.consultation_minutes),
      modes: asModes(profile.modes),
      video_link: profile.video_link ?? '',
      licensed_states: asCodes(profile.licensed_states),
      follow_up_policy: profile.follow_up_policy,
      free_cancel_hours: String(profile.free_cancel_hours),
      late_cancel_percent: String(profile.late_cancel_percent),
      no_show_percent: String(profile.no_show_percent),
    },
    schema: UpdateOfferInput,
    toInput: ({ amount, follow_amount, consultation_minutes, ...values }) => ({
      ...values,
      // With several types these are not shown, and may have changed with the types since the form was opened.
      ...(!hasSeveralTypes(profile) && {
        amount: parseMinorUnits(amount),
        follow_amount: parseMinorUnits(follow_amount),
        consultation_minutes: parseWhole(consultation_minutes),
      }),
      video_link: values.video_link.trim() === '' ? null : values.video_link,
      free_cancel_hours: parseWhole(values.free_cancel_hours),
      late_cancel_percent: parseWhole(values.late_cancel_percent),
      no_show_percent: parseWhole(values.no_show_percent),
    }),
    send: (input) => client.profiles.updateOffer.mutate(input),
    onSent: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast('Your fees and visits are saved.')
    },
  })
  const unit = profile.currency === 'GBP' ? 'pounds' : 'dollars'
  const number = { autoComplete: 'off', className: 'tabular max-w-44' } as const
  const toggle = (mode: VisitMode, isOn: boolean) =>
    form.set(
      'modes',
      isOn ? [...form.values.modes, mode] : form.values.modes.filter((one) => one !== mode),
    )
  return (
    <FormFrame form={form} label="Fees and visits" failureTitle="Not saved">
      {!hasSeveralTypes(profile) && (
        <>
          <div className="grid items-end gap-6 sm:grid-cols-2">
            <TextInput
              label={`First visit, in ${unit}`}
              inputMode="decimal"
              {...number}
              {...form.text('amount')}
            />
            <TextInput
              label={`Follow-up visit, in ${unit}`}
              inputMode="decimal"
              {...number}
              {...form.text('follow_amount')}
            />
          </div>
          <TextInput
            label="Length of a visit, in minutes"
            hint="We’ll rearrange your free times to this length. Booked visits stay as they are."
            inputMode="numeric"
            {...number}
            {...form.text('consultation_minutes')}
          />
        </>
      )}
      <fieldset
        id={`${form.id}-modes`}
        tabIndex={-1}
        aria-describedby={form.errors['modes'] ? `${form.id}-modes-error` : undefined}
      >
        <legend className="font-semibold">How patients can see you</legend>
        {(['in_person', 'video'] as const).map((mode) => (
          <Checkbox
            key={mode}
            label={modeNames[mode]}
            checked={form.values.modes.includes(mode)}
            onChange={({ target }) => toggle(mode, target.checked)}
          />
        ))}
        {form.errors['modes'] && (
          <p id={`${form.id}-modes-error`} className="text-sm font-medium text-danger">
            {form.errors['modes']}
          </p>
        )}
      </fieldset>
      {(form.values.modes.includes('video') || profile.video_link !== null) && (
        <VideoLinkField profile={profile} text={form.text('video_link')} />
      )}
      {profile.region === 'usa' && form.values.modes.includes('video') && (
        <StatePicker
          id={`${form.id}-licensed_states`}
          states={form.values.licensed_states}
          error={form.errors['licensed_states']}
          onChange={(states) => form.set('licensed_states', states)}
        />
      )}
      <RadioCards
        name={`${form.id}-policy`}
        legend="Who pays the follow-up fee"
        choices={[
          { value: 'trust', label: followUps.trust },
          { value: 'require_history', label: followUps.require_history },
        ]}
        value={form.values.follow_up_policy}
        onChange={(follow_up_policy) => form.set('follow_up_policy', follow_up_policy)}
      />
      <div className="grid items-end gap-6 sm:grid-cols-2">
        <TextInput
          label="Free cancellation ends, hours before"
          inputMode="numeric"
          {...number}
          {...form.text('free_cancel_hours')}
        />
        <TextInput
          label="Late cancellation, % of the fee"
          inputMode="numeric"
          {...number}
          {...form.text('late_cancel_percent')}
        />
        <TextInput
          label="Missed visit, % of the fee"
          hint="At least as high as for late cancellation."
          inputMode="numeric"
          {...number}
          {...form.text('no_show_percent')}
        />
      </div>
      <FormButtons send="Save" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

/** Where a provider holds video visits, in a few words for the list of facts. */
function videoText({ video_link: link, videoServer }: OwnProfile): string {
  if (link !== null) return `Your own room on ${new URL(link).host}`
  return videoServer === null ? 'No room yet' : `A room for each visit on ${videoServer}`
}

type LinkFieldProps = {
  profile: OwnProfile
  /** Properties of a text field of the form. */
  text: Omit<ComponentProps<typeof TextInput>, 'label'>
}

/** The link to the provider's own video room. */
function VideoLinkField({ profile, text }: LinkFieldProps) {
  const hint =
    profile.videoServer === null
      ? 'Starts with https://. Patients see the website’s name, and get the link when it’s time to join.'
      : `Leave it empty and each visit gets a private room on ${profile.videoServer}.`
  return (
    <TextInput
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder="https://"
      isOptional={profile.videoServer !== null}
      {...text}
      label="Link to your video room"
      hint={hint}
    />
  )
}

type StatePickerProps = {
  id: string
  states: readonly string[]
  error: string | undefined
  onChange: (states: readonly string[]) => void
}

const nameOf = (code: string) => US_STATES[code] ?? code
const byName = (a: string, b: string) => nameOf(a).localeCompare(nameOf(b), 'en')

/** The states a provider is licensed in: added from a list, removed one by one. */
function StatePicker({ id, states, error, onChange }: StatePickerProps) {
  const left = Object.keys(US_STATES)
    .filter((code) => !states.includes(code))
    .toSorted(byName)
  return (
    <div className="flex flex-col gap-3">
      <Select
        id={id}
        label="States you’re licensed in"
        hint="Patients can book a video visit only if they’ll be in one of these."
        error={error}
        value=""
        onChange={({ target }) => onChange([...states, target.value])}
      >
        <option value="">Add a state</option>
        {left.map((code) => (
          <option key={code} value={code}>
            {nameOf(code)}
          </option>
        ))}
      </Select>
      <ul aria-label="States you’re licensed in" className="flex flex-wrap gap-2">
        {states.toSorted(byName).map((code) => (
          <li key={code}>
            <RemovableChip
              removeLabel={`Remove ${nameOf(code)}`}
              onRemove={() => onChange(states.filter((one) => one !== code))}
            >
              {nameOf(code)}
            </RemovableChip>
          </li>
        ))}
      </ul>
    </div>
  )
}

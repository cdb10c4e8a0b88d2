import type { ComponentProps } from 'react'
import { RemovableChip } from '#app/ui/badge.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import { US_STATES } from '#contract/us-states.ts'
import { isPublicVideoServer } from '#contract/visits-video.ts'

/** Where a provider holds video visits, in a few words for the list of facts. */
export function videoWords({ video_link: link, videoServer }: OwnProfile): string {
  if (link !== null) return `Your own room on ${new URL(link).host}`
  return videoServer === null ? 'No room yet' : `A room for each visit on ${videoServer}`
}

type LinkFieldProps = {
  profile: OwnProfile
  /** Properties of a text field of the form. */
  text: Omit<ComponentProps<typeof TextInput>, 'label'>
  link: string
}

/** The link to the provider's own video room, with a warning if anyone could join it. */
export function VideoLinkField({ profile, text, link }: LinkFieldProps) {
  const hint =
    profile.videoServer === null
      ? 'Starts with https://. Patients see the website’s name, and get the link when it’s time to join.'
      : `Leave it empty and each visit gets a private room on ${profile.videoServer}.`
  return (
    <div className="flex flex-col gap-3">
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
      {isPublicVideoServer(link.trim()) && (
        <Notice kind="warn" role="status" title="This server is open to everyone">
          <p>
            Anyone who guesses your room’s name can walk in on a visit. Use a link with a waiting
            room or a password, or a server of your own.
          </p>
        </Notice>
      )}
    </div>
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
export function StatePicker({ id, states, error, onChange }: StatePickerProps) {
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

import { useState } from 'react'
import { RadioCards, Select } from '#app/ui/fields.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import { statesText, US_STATES } from '#contract/base/us-states.ts'
import type { Hold } from '#contract/booking.ts'
import type { ProviderProfile, VisitMode } from '#contract/search.ts'

const STATE_ID = 'patient-state'

/** The mode of the visit, or the state the patient will be in. */
export type ModeChoice = { mode: VisitMode } | { patientState: string }

/** The mode in the URL, unless the provider or the visit type does not offer it. */
export function offeredMode(
  { modes, visitTypes }: Pick<ProviderProfile, 'modes' | 'visitTypes'>,
  { mode, type }: { mode?: VisitMode | undefined; type?: string | undefined },
): VisitMode | undefined {
  const of = type === undefined ? visitTypes[0] : visitTypes.find(({ id }) => id === type)
  return mode !== undefined && (of?.modes ?? modes).includes(mode) ? mode : undefined
}

const isStateRequired = ({ region, mode }: Hold) => region === 'usa' && mode === 'video'

/** Whether the patient still has to say which state they will be in. */
export function needsState(hold: Hold): boolean {
  return isStateRequired(hold) && hold.patientState === null
}

/** The choice of mode and state with its error; only valid choices are sent to the server. */
export function useModeChoice(hold: Hold, onChoose: (choice: ModeChoice) => void) {
  const [state, setState] = useState(hold.patientState ?? '')
  const [isSubmitted, setSubmitted] = useState(false)
  const isKnown = state !== ''
  const isLicensed = hold.licensedStates.includes(state)
  const states = statesText(hold.licensedStates)
  const missing = isSubmitted ? errorMessage('state_missing') : undefined
  const error = isKnown ? errorMessage('state_not_licensed', { states }) : missing
  return {
    state,
    error: isLicensed ? undefined : error,
    chooseMode: (mode: VisitMode) => onChoose({ mode }),
    chooseState: (chosen: string) => {
      setState(chosen)
      if (hold.licensedStates.includes(chosen)) onChoose({ patientState: chosen })
    },
    /** Whether the step is complete; otherwise focuses the invalid field. */
    isReady: () => {
      if (!isStateRequired(hold) || isLicensed) return true
      setSubmitted(true)
      document.getElementById(STATE_ID)?.focus()
      return false
    },
  }
}

const stateCodes = Object.keys(US_STATES).toSorted((a, b) =>
  (US_STATES[a] ?? a).localeCompare(US_STATES[b] ?? b),
)

type VisitModeChoiceProps = { hold: Hold; meeting: ReturnType<typeof useModeChoice> }

/** Choice between in person and video, if both are offered; for a video visit in the USA, also the state. */
export function VisitModeChoice({ hold, meeting }: VisitModeChoiceProps) {
  const { place, mode, modes } = hold
  return (
    <>
      {(modes.length > 1 || !modes.includes(mode)) && (
        <RadioCards
          name="mode"
          legend="How would you like to be seen?"
          value={mode}
          onChange={meeting.chooseMode}
          choices={[
            {
              value: 'in_person',
              label: 'In person',
              detail: `${place.name}, ${place.address}`,
              isDisabled: !modes.includes('in_person'),
            },
            {
              value: 'video',
              label: 'Video visit',
              detail: modes.includes('video')
                ? 'Join on your phone or computer, from your visits'
                : errorMessage('mode_not_offered', { mode: 'video' }),
              isDisabled: !modes.includes('video'),
            },
          ]}
        />
      )}
      {isStateRequired(hold) && (
        <Select
          id={STATE_ID}
          label="Which state will you be in during the visit?"
          hint={`Providers are licensed by state. ${hold.provider.name} can see you by video in ${statesText(hold.licensedStates)}.`}
          error={meeting.error}
          className="max-w-sm"
          value={meeting.state}
          onChange={({ target }) => meeting.chooseState(target.value)}
        >
          <option value="">Choose a state</option>
          {stateCodes.map((code) => (
            <option key={code} value={code}>
              {US_STATES[code]}
            </option>
          ))}
        </Select>
      )}
    </>
  )
}

import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useDebounced } from '#app/lib/browser-hooks.ts'
import type { Failure } from '#app/lib/errors.ts'
import { afterPress } from '#app/lib/press.ts'
import { Button } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/fields.tsx'
import { FailureBox } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import { regionFacts } from '#contract/base/region.ts'
import { type Hold, PURPOSE_MAX, purposeProblem } from '#contract/booking.ts'
import { StepActions } from './checkout-frame.tsx'

/** Debounce in milliseconds before the text is saved with the hold. */
const SAVE_DEBOUNCE_MS = 700

/** Suggested openings, because an empty field is hard to start. */
const suggestions = [
  'New symptoms',
  'Something that keeps coming back',
  'Test results',
  'Medicines',
  'Check-up',
] as const

type StepPurposeProps = {
  hold: Hold
  /** The text so far, including one typed for a hold that was lost. */
  text: string
  onType: (text: string) => void
  /** Called when the text is valid and can be saved. */
  onKeep: (text: string) => void
  onBack: () => void
  onNext: (text: string) => void
  /** True while the code is being sent: controls are disabled. */
  isBusy: boolean
  /** Why the last press of Next failed. */
  failure: Failure | null
}

function Suggestions({ text, onPick, isBusy }: SuggestionsProps) {
  if (text.trim() !== '') return null
  return (
    <div role="group" aria-label="Start with" className="flex flex-wrap gap-2">
      {suggestions.map((start) => (
        <button
          key={start}
          type="button"
          disabled={isBusy}
          onClick={() => onPick(`${start}: `)}
          className="inline-flex min-h-9 items-center rounded-full border border-field bg-surface px-3.5 text-sm font-medium text-brand-deep transition-colors duration-150 hover:border-brand hover:bg-tint pointer-coarse:min-h-11"
        >
          {start}
        </button>
      ))}
    </div>
  )
}

type SuggestionsProps = { text: string; onPick: (start: string) => void; isBusy: boolean }

/** Step 2: the purpose of the visit, with the documented rules. Next requires a purpose. */
export function StepPurpose(props: StepPurposeProps) {
  const { hold, text, onType, onKeep, onBack, onNext, isBusy, failure } = props
  const id = useId()
  const [isLeft, setIsLeft] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const problem = purposeProblem(text)
  const settled = useDebounced(text.trim(), SAVE_DEBOUNCE_MS)
  const keep = useEffectEvent((purpose: string) => {
    if (purposeProblem(purpose) === null && purpose !== hold.purposeForVisit) onKeep(purpose)
  })
  useEffect(() => keep(settled), [settled])
  const { emergencyNumber, locale } = regionFacts[hold.region]
  const count = (number: number) => numberFormat(locale).format(number)
  // "Too long" shows at once, "too short" only on blur, so as not to interrupt typing.
  const isTooLong = text.trim().length > PURPOSE_MAX
  const error = problem !== null && (isTooLong || (isLeft && text !== '')) ? problem : undefined
  return (
    <form
      noValidate
      aria-label="Purpose of your visit"
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null && !isBusy) onNext(text.trim())
      }}
    >
      <Notice kind="warn">
        <p>
          In an emergency do not book: <strong>call {emergencyNumber}</strong> now.
        </p>
      </Notice>
      {failure !== null && <FailureBox title="We couldn’t send the code" failure={failure} />}
      <div ref={field} className="flex flex-col gap-3">
        <TextArea
          id={id}
          name="purposeForVisit"
          label="What would you like help with?"
          hint={`A sentence or two is enough. Only you and ${hold.provider.name} can read it.`}
          value={text}
          error={error}
          counter={`${count(text.trim().length)} of ${count(PURPOSE_MAX)} characters`}
          readOnly={isBusy}
          onChange={({ target }) => {
            onType(target.value)
            if (purposeProblem(target.value) === null) setIsLeft(false)
          }}
          onBlur={() => afterPress(() => setIsLeft(true))}
        />
        <Suggestions
          text={text}
          isBusy={isBusy}
          onPick={(start) => {
            onType(start)
            field.current?.querySelector('textarea')?.focus()
          }}
        />
      </div>
      <StepActions>
        <Button variant="secondary" size="large" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
        <Button type="submit" size="large" disabled={problem !== null || isBusy} isBusy={isBusy}>
          {isBusy ? 'Sending the code' : 'Next'}
        </Button>
      </StepActions>
    </form>
  )
}

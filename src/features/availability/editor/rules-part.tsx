import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { setWeeks } from '#app/features/availability/hours/draft.ts'
import {
  formatMinutes,
  formatNotice,
  holidayCalendars,
  plural,
} from '#app/features/availability/hours/format.ts'
import { cx } from '#app/lib/cx.ts'
import { TextLink } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { AvailabilitySettings } from '#contract/availability.ts'
import type { Editor } from './use-editor.ts'

const BUFFERS = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120]
const NOTICES = [0, 60, 120, 240, 480, 1_440, 2_880, 4_320, 10_080, 20_160]
const HORIZONS = [7, 14, 30, 60, 90, 120, 180]

const formatMinutesOrNone = (minutes: number) => (minutes === 0 ? 'None' : formatMinutes(minutes))

/** Id of the field with the date from which the rotation is counted. */
export const ROTATION_FROM = 'rotation-from'

type NumberSelectProps = {
  label: string
  hint: string
  value: number
  choices: readonly number[]
  say: (value: number) => string
  onChange: (value: number) => void
}

/** A select of numbers. A saved value that is not among the choices is added to them. */
function NumberSelect({ label, hint, value, choices, say, onChange }: NumberSelectProps) {
  const all = [...new Set([...choices, value])].toSorted((a, b) => a - b)
  return (
    <Select
      id={useId()}
      label={label}
      hint={hint}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {all.map((one) => (
        <option key={one} value={one}>
          {say(one)}
        </option>
      ))}
    </Select>
  )
}

function summary(settings: AvailabilitySettings, minutes: number): string {
  const { bufferMinutes, horizonDays, noticeMinutes, closedOnHolidays, rotation } = settings
  return [
    `visits of ${formatMinutes(minutes)}`,
    bufferMinutes > 0 && `${formatMinutes(bufferMinutes)} between`,
    noticeMinutes > 0 && formatNotice(noticeMinutes),
    `${plural(horizonDays, 'day')} ahead`,
    closedOnHolidays && 'closed on public holidays',
    rotation.weeks > 1 && `repeats every ${rotation.weeks} weeks`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** Slot length, buffer, notice, horizon, holidays and rotation, collapsed to a one-line summary. */
export function RulesPart({ editor }: { editor: Editor }) {
  const id = useId()
  const { base, draft, change, isDateMissing } = editor
  const { settings } = draft
  const [isWanted, setOpen] = useState(false)
  const isOpen = isWanted || isDateMissing
  const set = (part: Partial<AvailabilitySettings>) =>
    change({ ...draft, settings: { ...settings, ...part } })
  const calendar = base.places[0]?.holidays
  return (
    <div className="rounded-field border border-line bg-sunken/60">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-13 w-full items-center gap-3 rounded-field px-4 py-2 text-left hover:bg-tint"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">Booking rules</span>
          <span className="block text-sm text-muted first-letter:uppercase">
            {summary(settings, base.consultationMinutes)}
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={cx(
            'size-5 shrink-0 transition-transform duration-150',
            isOpen && 'rotate-180',
          )}
        />
      </button>
      <div
        id={id}
        hidden={!isOpen}
        className="grid items-end gap-x-6 gap-y-5 border-t border-line p-4 sm:grid-cols-2"
      >
        <p className="self-start">
          <span className="block font-semibold">Length of a visit</span>
          <span className="block text-sm text-muted">
            {formatMinutes(base.consultationMinutes)}, as in{' '}
            <TextLink to="/doctor/profile" hash="offer">
              your profile
            </TextLink>
            .
          </span>
        </p>
        <NumberSelect
          label="Time between visits"
          hint="Kept free after every visit."
          value={settings.bufferMinutes}
          choices={BUFFERS}
          say={formatMinutesOrNone}
          onChange={(bufferMinutes) => set({ bufferMinutes })}
        />
        <NumberSelect
          label="Minimum notice"
          hint="Patients can’t book times sooner than this."
          value={settings.noticeMinutes}
          choices={NOTICES}
          say={formatMinutesOrNone}
          onChange={(noticeMinutes) => set({ noticeMinutes })}
        />
        <NumberSelect
          label="How far ahead"
          hint="Patients can’t book later days yet."
          value={settings.horizonDays}
          choices={HORIZONS}
          say={(days) => plural(days, 'day')}
          onChange={(horizonDays) => set({ horizonDays })}
        />
        <NumberSelect
          label="Repeats every"
          hint="For hours that differ from week to week."
          value={settings.rotation.weeks}
          choices={[1, 2, 3, 4]}
          say={(weeks) => (weeks === 1 ? 'Every week the same' : `Every ${weeks} weeks`)}
          onChange={(weeks) =>
            change(setWeeks(draft, weeks), `Hours repeat after ${plural(weeks, 'week')}`)
          }
        />
        {settings.rotation.weeks > 1 && (
          <TextInput
            id={ROTATION_FROM}
            type="date"
            required
            label="Week 1 starts"
            hint="We count the weeks from this date."
            value={settings.rotation.from}
            error={isDateMissing ? 'Enter a date.' : undefined}
            onChange={({ target }) =>
              set({ rotation: { ...settings.rotation, from: target.value } })
            }
          />
        )}
        <div className="sm:col-span-2">
          <Checkbox
            label={
              calendar === undefined
                ? 'Closed on public holidays'
                : `Closed on the public holidays of ${holidayCalendars[calendar]}`
            }
            checked={settings.closedOnHolidays}
            onChange={({ target }) => set({ closedOnHolidays: target.checked })}
          />
        </div>
      </div>
    </div>
  )
}

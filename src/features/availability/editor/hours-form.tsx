import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { activeRanges, copyWeek, setWeeks } from '#app/features/availability/hours/draft.ts'
import {
  firstWeekdayOf,
  formatMinutes,
  formatNotice,
  formatWeekdayDate,
  holidayCalendars,
  regionOf,
} from '#app/features/availability/hours/hours-format.ts'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { addDays, weekdayOf, weekdaysFrom } from '#app/lib/dates/calendar-days.ts'
import { plural } from '#app/lib/format/words.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { RadioCards, Select, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import type { Availability, AvailabilitySettings } from '#contract/availability.ts'
import { DayRow, fieldId } from './day-row.tsx'
import type { Editor } from './use-editor.ts'

const BUFFERS = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120]
const NOTICES = [0, 60, 120, 240, 480, 1_440, 2_880, 4_320, 10_080, 20_160]
const HORIZONS = [7, 14, 30, 60, 90, 120, 180]

const formatMinutesOrNone = (minutes: number) => (minutes === 0 ? 'None' : formatMinutes(minutes))

/** Id of the field with the date from which the rotation is counted. */
const ROTATION_FROM = 'rotation-from'

/** From when the weeks are counted: from a Monday also where the calendar shows weeks from Sunday on. */
function rotationHint(from: string, mine: Availability): string {
  if (from === '' || weekdayOf(from) === 1) return 'We count the weeks from this date.'
  const monday = formatWeekdayDate(addDays(from, 1 - weekdayOf(from)), regionOf(mine))
  return `These weeks run from Monday to Sunday, so week 1 starts on ${monday}.`
}

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
            <TextLink to="/doctor/profile" hash="visit-types">
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
            hint={rotationHint(settings.rotation.from, base)}
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

/** Below this width every day is collapsed to its name. */
const PHONE = '(max-width: 47.99rem)'

type PlaceChoiceProps = { editor: Editor; placeId: string; onChange: (placeId: string) => void }

function PlaceChoice({ editor, placeId, onChange }: PlaceChoiceProps) {
  const { places } = editor.base
  const [place] = places
  if (places.length === 1 && place !== undefined) {
    return (
      <p className="text-muted">
        At <span className="font-semibold text-ink">{place.name}</span>, {place.locality}
      </p>
    )
  }
  return (
    <div className="max-w-88">
      <Select
        id="hours-place"
        label="Place"
        hint="Each place has its own hours."
        value={placeId}
        onChange={({ target }) => onChange(target.value)}
      >
        {places.map(({ id, name, locality }) => (
          <option key={id} value={id}>
            {name}, {locality}
          </option>
        ))}
      </Select>
    </div>
  )
}

type WeekChoiceProps = { editor: Editor; week: number; onChange: (week: number) => void }

/** Selects the displayed week of the rotation, and copies another week into it. */
function WeekChoice({ editor, week, onChange }: WeekChoiceProps) {
  const { draft, change } = editor
  const { weeks } = draft.settings.rotation
  if (weeks === 1) return null
  const source = week === 1 ? 2 : 1
  const isEmpty = !draft.ranges.some((range) => range.week === week)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
      <RadioCards
        name="rotation-week"
        legend="Week"
        isCompact
        value={String(week)}
        onChange={(value) => onChange(Number(value))}
        choices={Array.from({ length: weeks }, (_, at) => ({
          value: String(at + 1),
          label: `Week ${at + 1}`,
        }))}
      />
      <div className="-mx-3 flex flex-wrap">
        <Button
          variant="quiet"
          onClick={() =>
            change(copyWeek(draft, week, source), `Week ${week} is now the same as week ${source}`)
          }
        >
          Same as week {source}
        </Button>
        <Button
          variant="quiet"
          disabled={isEmpty}
          onClick={() => change(copyWeek(draft, week, null), `Week ${week} is now closed`)}
        >
          Close week {week}
        </Button>
      </div>
    </div>
  )
}

/** The grid of one place and one week of the rotation, with a row per day. */
export function WeekPart({ editor }: { editor: Editor }) {
  const { base, draft } = editor
  const isPhone = useMedia(PHONE)
  const { shown, show } = editor
  const week = Math.min(shown.week, draft.settings.rotation.weeks)
  const isThere = base.places.some(({ id }) => id === shown.placeId)
  const placeId = isThere ? shown.placeId : (base.places[0]?.id ?? '')
  const weekdays = weekdaysFrom(firstWeekdayOf(base))
  const isEmpty = activeRanges(draft).length === 0
  return (
    <div className="flex flex-col gap-4">
      <PlaceChoice
        editor={editor}
        placeId={placeId}
        onChange={(next) => show({ placeId: next, week })}
      />
      <WeekChoice editor={editor} week={week} onChange={(next) => show({ placeId, week: next })} />
      {isEmpty && (
        <p className="text-muted">Switch on the days you work. Patients can’t book anything yet.</p>
      )}
      <div className="divide-y divide-line border-y border-line">
        {weekdays.map((weekday) => (
          <DayRow
            key={`${placeId} ${week} ${weekday}`}
            editor={editor}
            day={{ placeId, week, weekday }}
            weekdays={weekdays}
            isFolding={isPhone}
          />
        ))}
      </div>
    </div>
  )
}

/** Shows the place and week of the first error and focuses its field. */
export function showFirstProblem({ draft, problems, show }: Editor): void {
  const [first] = problems
  const range = draft.ranges.find(({ id }) => id === first?.[0])
  if (range !== undefined) show({ placeId: range.placeId, week: range.week })
  const id = first === undefined ? ROTATION_FROM : fieldId({ id: first[0] }, first[1].field)
  // After its week has been rendered.
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}

import { activeRanges, copyWeek } from '#app/features/availability/hours/draft.ts'
import { firstWeekdayOf, weekdaysFrom } from '#app/features/availability/hours/format.ts'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Select } from '#app/ui/select.tsx'
import { DayRow } from './day-row.tsx'
import { fieldId } from './range-line.tsx'
import { ROTATION_FROM } from './rules-part.tsx'
import type { Editor } from './use-editor.ts'

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

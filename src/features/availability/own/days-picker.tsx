import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type ChevronProps, DayButton, DayPicker } from 'react-day-picker'
import { cx } from '#app/lib/cx.ts'
import { dateFormat } from '#contract/intl.ts'

type DaysPickerProps = {
  label: string
  /** Days in ISO format: `2026-03-02`. */
  today: string
  firstWeekday: 1 | 7
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The library uses dates in the browser's time zone; ours are strings without one. */
const asDate = (day: string) => new Date(`${day}T00:00`)

function asText(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function words(date: Date, options: Intl.DateTimeFormatOptions): string {
  const noon = new Date(`${asText(date)}T12:00:00Z`)
  return dateFormat('en-GB', { timeZone: 'UTC', ...options }).format(noon)
}

function Chevron({ orientation }: ChevronProps) {
  const Icon = orientation === 'left' ? ChevronLeft : ChevronRight
  return <Icon aria-hidden="true" className="size-5" />
}

/** Marks the button as chosen, not only its cell. */
function Day(props: ComponentProps<typeof DayButton>) {
  const { day, modifiers } = props
  return (
    <DayButton {...props} data-date={day.isoDate} aria-pressed={modifiers['selected'] === true} />
  )
}

/** The library hides weekday names from screen readers; this header shows them. */
function Weekdays(props: ComponentProps<'tr'>) {
  return (
    <thead>
      <tr {...props} />
    </thead>
  )
}

const components = { Chevron, DayButton: Day, Weekdays }

const arrow =
  'absolute top-0 inline-flex size-11 items-center justify-center rounded-field text-brand-deep ' +
  'hover:bg-tint aria-disabled:text-field aria-disabled:hover:bg-transparent'

const classNames = {
  months: 'relative',
  button_previous: cx(arrow, 'left-0'),
  button_next: cx(arrow, 'right-0'),
  month_caption: 'flex min-h-11 items-center justify-center font-semibold',
  month_grid: 'w-full table-fixed border-separate border-spacing-0.5',
  weekday: 'pb-1 text-center text-sm font-medium text-muted',
  day: 'p-0',
  day_button:
    'tabular flex min-h-11 w-full items-center justify-center rounded-field font-medium transition-colors ' +
    'duration-150 hover:bg-tint disabled:text-muted disabled:opacity-50 disabled:hover:bg-transparent ' +
    'aria-pressed:bg-brand aria-pressed:font-semibold aria-pressed:text-on-brand',
}

/** A month for selecting any number of days from today on; arrow keys move by day and week. */
export function DaysPicker({ label, today, firstWeekday, chosen, onChange }: DaysPickerProps) {
  return (
    <div className="w-full max-w-88 rounded-field border border-line p-2">
      <DayPicker
        mode="multiple"
        selected={chosen.map(asDate)}
        onSelect={(dates: Date[] = []) => onChange(dates.map(asText).toSorted())}
        today={asDate(today)}
        defaultMonth={asDate(today)}
        startMonth={asDate(today)}
        disabled={{ before: asDate(today) }}
        weekStartsOn={firstWeekday === 7 ? 0 : 1}
        components={components}
        classNames={classNames}
        formatters={{
          formatCaption: (date) => words(date, { month: 'long', year: 'numeric' }),
          formatWeekdayName: (date) => words(date, { weekday: 'short' }).slice(0, 2),
        }}
        labels={{
          labelGrid: () => label,
          labelNav: () => 'Months',
          labelPrevious: () => 'Previous month',
          labelNext: () => 'Next month',
          labelWeekday: (date) => words(date, { weekday: 'long' }),
          labelDayButton: (date) => words(date, { weekday: 'long', day: 'numeric', month: 'long' }),
        }}
      />
    </div>
  )
}

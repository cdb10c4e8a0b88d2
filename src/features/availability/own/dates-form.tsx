import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type ChevronProps, DayButton, DayPicker } from 'react-day-picker'
import * as z from 'zod/mini'
import { NO_TIME } from '#app/features/availability/hours/draft.ts'
import {
  firstWeekdayOf,
  formatWeekdayDate,
  hour12Of,
  regionOf,
  type Time,
} from '#app/features/availability/hours/hours-format.ts'
import { cx } from '#app/lib/cx.ts'
import { plural } from '#app/lib/format/words.ts'
import { type Form, useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { RemovableChip } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type Availability, MAX_DATES_AT_ONCE } from '#contract/availability.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { StaleHelp, useConfirmedChange } from './own-hours.tsx'
import { TimeRange } from './time-field.tsx'

type ExtraDate = Availability['extraDates'][number]

type Values = { placeId: string; dates: readonly string[]; from: Time; to: Time; note: string }

/** Mirrors the contract's schema, with messages for typed times. */
const DatesSchema = z
  .object({
    placeId: z.string(),
    dates: z.array(z.iso.date({ error: 'date_invalid' })).check(
      z.minLength(1, { error: 'Choose at least one day.' }),
      z.maxLength(MAX_DATES_AT_ONCE, {
        error: `Choose at most ${MAX_DATES_AT_ONCE} days at once.`,
      }),
    ),
    from: z.number({ error: NO_TIME }),
    to: z.number({ error: NO_TIME }),
    note: z.string().check(z.trim(), z.maxLength(200, { error: 'Use at most 200 characters.' })),
  })
  .check(
    z.refine(({ from, to }) => to > from, {
      error: errorMessage('hours_inverted'),
      path: ['to'],
    }),
  )

type SeveralDaysProps = { form: Form<Values>; mine: Availability }

function SeveralDays({ form, mine }: SeveralDaysProps) {
  const { dates } = form.values
  const error = Object.entries(form.errors).find(([path]) => path.startsWith('dates'))?.[1]
  return (
    <div id={`${form.id}-dates`} tabIndex={-1} className="rounded-field">
      <p className="font-semibold">Days</p>
      <p className="mb-2 text-sm text-muted">Choose one or several.</p>
      {error && (
        <p role="alert" className="mt-1 text-sm font-medium text-danger">
          {error}
        </p>
      )}
      <DaysPicker
        label="Days with extra hours"
        today={mine.today}
        firstWeekday={firstWeekdayOf(mine)}
        chosen={dates}
        onChange={(chosen) => form.set('dates', chosen)}
      />
    </div>
  )
}

/** The chosen days as removable chips. */
function ChosenDays({ form, mine }: SeveralDaysProps) {
  const { dates } = form.values
  const region = regionOf(mine)
  return (
    <div>
      <p aria-live="polite" className="font-semibold">
        {dates.length === 0 ? 'No day chosen yet' : `${plural(dates.length, 'day')} chosen`}
      </p>
      <ul className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {dates.map((date) => (
          <li key={date}>
            <RemovableChip
              removeLabel={`Remove ${formatWeekdayDate(date, region)}`}
              onRemove={() =>
                form.set(
                  'dates',
                  dates.filter((one) => one !== date),
                )
              }
            >
              {formatWeekdayDate(date, region)}
            </RemovableChip>
          </li>
        ))}
      </ul>
    </div>
  )
}

const savedText = (isNew: boolean, count: number) => {
  if (!isNew) return 'The extra date is saved.'
  return count > 1 ? 'The extra dates are added.' : 'The extra date is added.'
}

const addLabel = (count: number) => (count > 1 ? `Add ${count} extra dates` : 'Add extra date')

type DatesFormProps = {
  mine: Availability
  /** The extra date to edit; adds new ones when omitted. */
  date?: ExtraDate
  /** Called after saving or on Cancel. */
  onClose?: () => void
}

/** State of `DatesFields`, which a page keeps while it shows another tab. */
export function useDatesForm({ mine, date, onClose }: DatesFormProps) {
  const { client } = trpc.useUtils()
  const { send, question } = useConfirmedChange(mine.places)
  const blank: Values = {
    placeId: date?.placeId ?? mine.places[0]?.id ?? '',
    dates: date === undefined ? [] : [date.date],
    from: date?.from ?? 540,
    to: date?.to ?? 780,
    note: date?.note ?? '',
  }
  const form = useForm({
    blank,
    schema: DatesSchema,
    send: (input) =>
      send((confirmed) =>
        client.availability.addDates.mutate({
          ...input,
          version: mine.version,
          confirmed,
          ...(date !== undefined && { replaces: date.id }),
        }),
      ),
    codeFields: { slot_impossible: 'from', date_invalid: 'dates', date_too_far: 'dates' },
    onSent: ({ saved }) => {
      if (!saved) return
      const { dates } = form.values
      if (date === undefined) {
        form.set('dates', [])
        form.set('note', '')
      }
      onClose?.()
      void showToast(savedText(date === undefined, dates.length))
    },
  })
  return { form, question }
}

export type DatesEditing = ReturnType<typeof useDatesForm>

/** Hours on single days in addition to the weekly ones: adds several days, or edits one. */
export function DatesForm(props: DatesFormProps) {
  return <DatesFields {...props} {...useDatesForm(props)} />
}

/** The same with its state kept by the caller. */
export function DatesFields(props: DatesFormProps & DatesEditing) {
  const { mine, date, onClose, form, question } = props
  const { dates } = form.values
  const isNew = date === undefined
  return (
    <>
      <FormFrame
        form={form}
        label={date === undefined ? 'Extra dates' : 'Change the extra date'}
        failureTitle="Not saved"
        className="max-w-none!"
      >
        <StaleHelp failure={form.failure} />
        {mine.places.length > 1 && (
          <Select
            id={`${form.id}-placeId`}
            label="Place"
            className="max-w-88"
            value={form.values.placeId}
            onChange={({ target }) => form.set('placeId', target.value)}
          >
            {mine.places.map((place) => (
              <option key={place.id} value={place.id}>
                {place.name}, {place.locality}
              </option>
            ))}
          </Select>
        )}
        <div
          className={cx(
            'grid items-start gap-x-8 gap-y-6',
            isNew && 'lg:grid-cols-[22rem_minmax(0,1fr)]',
          )}
        >
          {isNew ? (
            <SeveralDays form={form} mine={mine} />
          ) : (
            <TextInput
              id={`${form.id}-dates`}
              type="date"
              label="Day"
              className="max-w-52"
              min={mine.today}
              value={dates[0] ?? ''}
              error={form.errors['dates'] ?? form.errors['dates.0']}
              onChange={({ target }) => form.set('dates', [target.value])}
            />
          )}
          <div className="flex min-w-0 max-w-form flex-col gap-6">
            {isNew && <ChosenDays form={form} mine={mine} />}
            <TimeRange
              id={form.id}
              range={form.values}
              errors={form.errors}
              hour12={hour12Of(mine)}
              onChange={(field, time) => form.set(field, time)}
            />
            <TextInput
              label="Note"
              isOptional
              hint="Only you see it."
              maxLength={200}
              {...form.text('note')}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" isBusy={form.isBusy}>
                {isNew ? addLabel(dates.length) : 'Save extra date'}
              </Button>
              {onClose && (
                <Button variant="quiet" onClick={onClose}>
                  Cancel
                </Button>
              )}
            </div>
          </div>
        </div>
      </FormFrame>
      {question}
    </>
  )
}

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

function toDayText(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function dateText(date: Date, options: Intl.DateTimeFormatOptions): string {
  const noon = new Date(`${toDayText(date)}T12:00:00Z`)
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
function DaysPicker({ label, today, firstWeekday, chosen, onChange }: DaysPickerProps) {
  return (
    <div className="w-full max-w-88 rounded-field border border-line p-2">
      <DayPicker
        mode="multiple"
        selected={chosen.map(asDate)}
        onSelect={(dates: Date[] = []) => onChange(dates.map(toDayText).toSorted())}
        today={asDate(today)}
        defaultMonth={asDate(today)}
        startMonth={asDate(today)}
        disabled={{ before: asDate(today) }}
        weekStartsOn={firstWeekday === 7 ? 0 : 1}
        components={components}
        classNames={classNames}
        formatters={{
          formatCaption: (date) => dateText(date, { month: 'long', year: 'numeric' }),
          formatWeekdayName: (date) => dateText(date, { weekday: 'short' }).slice(0, 2),
        }}
        labels={{
          labelGrid: () => label,
          labelNav: () => 'Months',
          labelPrevious: () => 'Previous month',
          labelNext: () => 'Next month',
          labelWeekday: (date) => dateText(date, { weekday: 'long' }),
          labelDayButton: (date) =>
            dateText(date, { weekday: 'long', day: 'numeric', month: 'long' }),
        }}
      />
    </div>
  )
}

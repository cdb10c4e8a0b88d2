import { type ReactNode, useId } from 'react'
import { type RegisterOptions, useForm, useWatch } from 'react-hook-form'
import { cx } from '#app/lib/cx.ts'
import { Button } from '#app/ui/button.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { dateFormat } from '#contract/intl.ts'
import {
  type HistoryFilters as Filters,
  HISTORY_MONTHS,
  YEAR_MAX,
  YEAR_MIN,
  yearProblem,
} from '#contract/payments-history.ts'
import { readFilters } from './history-address.ts'

/** "January", from the number of the month in two digits. */
export function monthName(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long' }).format(
    new Date(`2026-${month}-15T12:00:00Z`),
  )
}

type Draft = { sort: string; payment_method: string; month: string; year: string }

function draftOf({ year, ...rest }: Filters): Draft {
  return { ...rest, year: year?.toString() ?? '' }
}

type HistoryFiltersProps = {
  /** What is applied now. */
  filters: Filters
  onApply: (filters: Filters) => void
  /** More of them, in a row of their own above Submit; whoever passes them adds them in `onApply`. */
  more?: ReactNode
}

/**
 * The filters of a history. Nothing happens before Submit; a month without a year is not applied, a
 * year out of bounds is, with a word about it.
 */
export function HistoryFilters({ filters, onApply, more }: HistoryFiltersProps) {
  const id = useId()
  // Whoever goes back in the browser finds the filters as they were then.
  const form = useForm({ values: draftOf(filters), reValidateMode: 'onSubmit' })
  const shown = useWatch({ control: form.control })
  const field = (name: keyof Draft, rules?: RegisterOptions<Draft, keyof Draft>) => ({
    id: `${id}-${name}`,
    ...form.register(name, rules),
    value: shown[name],
  })
  const yearRules: RegisterOptions<Draft, 'year'> = {
    validate: (_, draft) => {
      const problem = yearProblem(readFilters(draft))
      return problem?.isApplied === false ? problem.sentence : true
    },
  }
  return (
    <form
      noValidate
      aria-label="Filters"
      onSubmit={(event) => void form.handleSubmit((draft) => onApply(readFilters(draft)))(event)}
      className="no-print @container rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <div
        className={cx(
          'grid items-end gap-4 @sm:grid-cols-2',
          more === undefined
            ? '@3xl:grid-cols-[11.5rem_minmax(0,1fr)_minmax(0,1fr)_7rem_auto]'
            : // Eight fields in a column would fill a phone twice.
              'grid-cols-2 @3xl:grid-cols-4 @max-sm:[&>*:nth-child(-n+2)]:col-span-2',
        )}
      >
        <Select label="Sort" {...field('sort')}>
          <option value="desc">Latest to Oldest</option>
          <option value="asc">Oldest to Latest</option>
        </Select>
        <Select label="Payment method" {...field('payment_method')}>
          <option value="all">All</option>
          <option value="stripe">Card (Stripe)</option>
          <option value="paypal">PayPal</option>
        </Select>
        <Select label="Month" {...field('month')}>
          <option value="all">All</option>
          {HISTORY_MONTHS.map((month) => (
            <option key={month} value={month}>
              {monthName(month)}
            </option>
          ))}
        </Select>
        <TextInput
          type="number"
          inputMode="numeric"
          label="Year"
          min={YEAR_MIN}
          max={YEAR_MAX}
          step={1}
          error={form.formState.errors.year?.message ?? yearProblem(filters)?.sentence}
          {...field('year', yearRules)}
        />
        {more}
        <Button type="submit" className={more === undefined ? '' : 'justify-self-start'}>
          Submit
        </Button>
      </div>
    </form>
  )
}

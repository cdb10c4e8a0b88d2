import { type RefCallback, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { controlClass, FieldMessage } from './field.tsx'

type Parts = { day: string; month: string; year: string }

function partsOf(value: string): Parts {
  const [year = '', month = '', day = ''] = value.split('-')
  return { day: day.replace(/^0/, ''), month: month.replace(/^0/, ''), year }
}

/** An ISO date such as `1990-02-03`; an invalid date stays as typed, for the schema to reject. */
function dayOfParts({ day, month, year }: Parts): string {
  if (day + month + year === '') return ''
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const fields = {
  day: { label: 'Day', width: 'w-18', length: 2 },
  month: { label: 'Month', width: 'w-18', length: 2 },
  year: { label: 'Year', width: 'w-26', length: 4 },
} as const

const orders = {
  uk: ['day', 'month', 'year'],
  usa: ['month', 'day', 'year'],
} as const

const examples = { uk: '27 3 1990', usa: '3 27 1990' } as const

type DateFieldsProps = {
  id: string
  name: string
  label: string
  /** An ISO date, or the part of one typed so far. */
  value: string
  error: string | undefined
  /** Sets the order of the fields. */
  region: keyof typeof orders
  /** Lets the browser autofill a birthday. */
  isBirthday?: boolean
  ref: RefCallback<HTMLElement>
  onChange: (event: { target: { name: string; value: string } }) => void
  onBlur: (event: { target: { name: string; value: string } }) => void
}

/** A date people know by heart, typed in three fields: no paging through decades in a calendar. */
export function DateFields(props: DateFieldsProps) {
  const { id, name, label, value, error, region, isBirthday = false, ref, onChange, onBlur } = props
  const [parts, setParts] = useState(() => partsOf(value))
  const [first] = orders[region]
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        For example, {examples[region]}
      </p>
      <FieldMessage id={`${id}-error`} error={error} />
      <div className="flex flex-wrap gap-3">
        {orders[region].map((part) => (
          <label key={part} className={cx('flex max-w-full flex-col gap-1', fields[part].width)}>
            {fields[part].label}
            <input
              id={part === first ? id : `${id}-${part}`}
              ref={part === first ? ref : undefined}
              inputMode="numeric"
              maxLength={fields[part].length}
              autoComplete={isBirthday ? `bday-${part}` : 'off'}
              value={parts[part]}
              aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
              aria-invalid={error ? true : undefined}
              className={cx(controlClass, 'tabular')}
              onBlur={({ currentTarget, relatedTarget }) => {
                const isStillInside = currentTarget.closest('fieldset')?.contains(relatedTarget)
                if (!isStillInside) onBlur({ target: { name, value } })
              }}
              onChange={({ target }) => {
                const next = { ...parts, [part]: target.value.trim() }
                setParts(next)
                onChange({ target: { name, value: dayOfParts(next) } })
              }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

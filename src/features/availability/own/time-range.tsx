import type { Time } from '#app/features/availability/hours/wall-times.ts'
import { Field } from '#app/ui/field.tsx'
import { TimeField } from './time-field.tsx'

type TimeRangeProps = {
  /** Id prefix: the fields are `{id}-from` and `{id}-to`. */
  id: string
  range: { from: Time; to: Time }
  errors: Readonly<Record<string, string | undefined>>
  hour12: boolean
  onChange: (field: 'from' | 'to', time: Time) => void
}

/** Start and end on one day, as form fields. */
export function TimeRange({ id, range, errors, hour12, onChange }: TimeRangeProps) {
  const error = (name: 'from' | 'to') => (errors[name] ? `${id}-${name}-error` : undefined)
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-3">
      <Field id={`${id}-from`} label="From" error={errors['from']}>
        <TimeField
          id={`${id}-from`}
          label="From"
          value={range.from}
          hour12={hour12}
          errorId={error('from')}
          onChange={(time) => onChange('from', time)}
        />
      </Field>
      <Field id={`${id}-to`} label="Until" error={errors['to']}>
        <TimeField
          id={`${id}-to`}
          label="Until"
          value={range.to}
          hour12={hour12}
          isEnd
          after={range.from}
          errorId={error('to')}
          onChange={(time) => onChange('to', time)}
        />
      </Field>
    </div>
  )
}

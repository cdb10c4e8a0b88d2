import { Trash2 } from 'lucide-react'
import type { DraftRange } from '#app/features/availability/hours/draft.ts'
import type { RangeProblem } from '#app/features/availability/hours/draft-checks.ts'
import { formatRange, type Time } from '#app/features/availability/hours/wall-times.ts'
import { TimeField } from '#app/features/availability/own/time-field.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { FieldMessage } from '#app/ui/field.tsx'

type RangeLineProps = {
  range: DraftRange
  /** "Monday", or "Monday, second hours". */
  name: string
  hour12: boolean
  problem: RangeProblem | undefined
  onTime: (part: { from: Time } | { to: Time }) => void
  /** Omitted for the only hours of a day: the day's switch removes those. */
  onRemove: (() => void) | undefined
}

/** Id of the start or end field. */
export const fieldId = (range: { id: number }, field: 'from' | 'to') => `hours-${range.id}-${field}`

/** Start and end, with the error beside them. */
export function RangeLine(props: RangeLineProps) {
  const { range, name, hour12, problem, onTime, onRemove } = props
  const errorId = `hours-${range.id}-error`
  const wrong = (field: 'from' | 'to') => (problem?.field === field ? errorId : undefined)
  return (
    <div>
      <div role="group" aria-label={name} className="flex items-center gap-1.5 sm:gap-2">
        <TimeField
          id={fieldId(range, 'from')}
          label={`${name}, from`}
          value={range.from}
          hour12={hour12}
          errorId={wrong('from')}
          onChange={(from) => onTime({ from })}
        />
        <span aria-hidden="true" className="text-muted">
          –
        </span>
        <TimeField
          id={fieldId(range, 'to')}
          label={`${name}, until`}
          value={range.to}
          hour12={hour12}
          isEnd
          after={range.from}
          errorId={wrong('to')}
          onChange={(to) => onTime({ to })}
        />
        {onRemove && (
          <IconButton
            label={`Remove ${name}, ${formatRange(range, hour12)}`}
            onClick={onRemove}
            className="text-danger"
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
      <div className="mt-1.5 empty:hidden">
        <FieldMessage id={errorId} error={problem?.message} />
      </div>
    </div>
  )
}

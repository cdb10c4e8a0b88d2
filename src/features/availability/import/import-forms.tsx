import { type SubmitEvent, useId } from 'react'
import { plural } from '#app/features/availability/hours/words.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Select } from '#app/ui/select.tsx'
import { FIELDS, type FieldName } from './columns.ts'
import type { Importing } from './use-import.ts'

/** First step: choosing a file. */
export function FileForm({ importing }: { importing: Importing }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        CSV file
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        The first row names the columns: a start, and an end or a number of minutes.
      </p>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => void importing.pick(target.files?.[0])}
        className="min-h-11 max-w-full rounded-field border border-field bg-surface p-2 file:mr-3 file:min-h-7 file:rounded-field file:border-0 file:bg-tint file:px-3 file:font-semibold file:text-brand-deep"
      />
    </div>
  )
}

const LABELS: Record<FieldName, { label: string; hint?: string }> = {
  day: { label: 'Day', hint: 'If the start is only a time.' },
  start: { label: 'Start', hint: 'A date and a time, or only a time.' },
  end: { label: 'End', hint: 'If it’s only a time, it’s on the same day as the start.' },
  minutes: { label: 'Minutes', hint: 'If there is no end.' },
  place: { label: 'Place', hint: 'The name of one of your places. Times are in its local time.' },
  label: { label: 'Label', hint: 'Kept encrypted; only you see it.' },
  externalId: { label: 'Id', hint: 'Identifies a row if you import it again.' },
}

/** An example value, so that the user recognises the column. */
function exampleOf({ file }: Importing, at: number): string {
  const cell = file?.table.rows.map(({ cells }) => cells[at] ?? '').find((one) => one !== '')
  return cell === undefined ? '' : ` (${cell.slice(0, 24)})`
}

/** Second step: mapping columns to fields and choosing the date format. */
export function ColumnsForm({ importing }: { importing: Importing }) {
  const id = useId()
  const { file, columns, dates, progress, setColumns, setDates, check, restart } = importing
  if (file === null) return null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void check()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="wrap-anywhere">
        <strong>{file.name}</strong>, {plural(file.table.rows.length, 'row')}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {FIELDS.map((field) => (
          <Select
            key={field}
            id={`${id}-${field}`}
            {...LABELS[field]}
            isOptional={field !== 'start'}
            value={columns[field]}
            onChange={({ target }) => setColumns({ ...columns, [field]: Number(target.value) })}
          >
            <option value={-1}>{field === 'start' ? 'Choose a column' : 'None'}</option>
            {file.table.head.slice(0, 200).map((name, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other key
              <option key={at} value={at}>
                {(name || `Column ${at + 1}`) + exampleOf(importing, at)}
              </option>
            ))}
          </Select>
        ))}
      </div>
      <RadioCards<'dmy' | 'mdy' | ''>
        name={`${id}-dates`}
        legend="How are dates written?"
        isCompact
        choices={[
          { value: 'dmy', label: 'Day first', detail: '31/12/2026' },
          { value: 'mdy', label: 'Month first', detail: '12/31/2026' },
        ]}
        value={dates ?? ''}
        onChange={(value) => setDates(value === '' ? null : value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={progress !== null}>
          Check the file
        </Button>
        <Button variant="quiet" onClick={restart}>
          Cancel
        </Button>
      </div>
      <p className="text-sm text-muted">You’ll see the result before anything is imported.</p>
    </form>
  )
}

import { useEffect, useId, useRef, useState } from 'react'
import { Panel } from '#app/features/availability/own/own-hours.tsx'
import { describeFailure } from '#app/lib/errors.ts'
import { zoneLabel } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { RadioCards, Select } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { type Imports, rowRefusalMessages } from '#contract/imports.ts'
import { FIELDS, type FieldName } from './columns.ts'
import { type Importing, useImport } from './use-import.ts'

type ZoneProps = { timeZone: string }

/** Imports appointments made elsewhere from a file. */
export function ImportPart({ mine }: { mine: Availability }) {
  const importing = useImport()
  const timeZone = mine.places[0]?.timeZone ?? 'UTC'
  return (
    <Panel
      id="import"
      title="Import appointments"
      lead="Upload appointments made elsewhere as a CSV file of up to 5,000 rows and 2 MB. Their times are blocked, with a label only you see. Nobody is emailed, and importing the same file again adds nothing twice."
    >
      <div className="flex flex-col gap-6">
        <Steps importing={importing} />
        <DataBoundary
          failed="Your imports didn’t load"
          pending={<PendingShapes shapes={['h-16']} />}
        >
          <ImportList timeZone={timeZone} />
        </DataBoundary>
      </div>
    </Panel>
  )
}

function Steps({ importing }: { importing: Importing }) {
  const { step, problem, progress, total } = importing
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    box.current?.focus()
  }, [step])
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label="Import"
      className="flex flex-col gap-4 outline-none"
    >
      {step === 'file' && <FileForm importing={importing} />}
      {step === 'columns' && <ColumnsForm importing={importing} />}
      {step === 'checked' && <CheckedRows importing={importing} />}
      {step === 'done' && <Done importing={importing} />}
      {progress !== null && (
        <p role="status" className="tabular text-muted">
          {progress.toLocaleString('en-GB')} of {plural(total, 'row')}
        </p>
      )}
      {problem !== null && (
        <Notice kind="danger" role="alert" title="Not yet">
          <p>{problem}</p>
        </Notice>
      )}
    </div>
  )
}

/** Maximum number of rejected lines listed; their total is shown above the list. */
const MAX_REFUSED_SHOWN = 100

function CheckedRows({ importing }: { importing: Importing }) {
  const { checked, progress, run, back, restart } = importing
  if (checked === null) return null
  const { good, first, refused } = checked
  return (
    <>
      <p className="font-semibold">
        {good === 0 ? 'No row can be imported.' : `${plural(good, 'appointment')} can be imported.`}
      </p>
      {first !== null && (
        <p className="tabular text-muted">
          The first one is row {first.line}: {visitMoment(first.startsAt, first.timeZone)} (
          {zoneLabel(first.startsAt, first.timeZone)}). Is that right?
        </p>
      )}
      {refused.length > 0 && (
        <div>
          <h3 className="font-semibold">{plural(refused.length, 'row')} left out</h3>
          <ul className="mt-2 max-h-72 divide-y divide-line overflow-y-auto border-y border-line">
            {refused.slice(0, MAX_REFUSED_SHOWN).map(({ line, why }) => (
              <li key={line} className="tabular py-2">
                <span className="font-semibold">Row {line}</span>{' '}
                <span className="text-muted">{rowRefusalMessages[why]}</span>
              </li>
            ))}
          </ul>
          {refused.length > MAX_REFUSED_SHOWN && (
            <p className="mt-2 text-sm text-muted">The first {MAX_REFUSED_SHOWN} are shown.</p>
          )}
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        {good > 0 && (
          <Button isBusy={progress !== null} onClick={() => void run(checked)}>
            Import {plural(good, 'appointment')}
          </Button>
        )}
        {/* Not while importing: rows that were sent are imported. */}
        <Button variant="secondary" disabled={progress !== null} onClick={back}>
          Change the columns
        </Button>
        <Button variant="quiet" disabled={progress !== null} onClick={restart}>
          Cancel
        </Button>
      </div>
    </>
  )
}

function Done({ importing: { imported, restart } }: { importing: Importing }) {
  const { added, updated, refused } = imported
  return (
    <Notice kind="ok" title="Imported">
      <p>
        {plural(added, 'appointment')} added
        {updated > 0 && `, ${updated} updated`}
        {refused > 0 && `, ${plural(refused, 'row')} left out`}.
      </p>
      <Button variant="secondary" className="mt-3" onClick={restart}>
        Import another file
      </Button>
    </Notice>
  )
}

function ImportList({ timeZone }: ZoneProps) {
  const [imports] = trpc.imports.list.useSuspenseQuery()
  const [removing, setRemoving] = useState<Imports[number] | null>(null)
  if (imports.length === 0) return null
  return (
    <div>
      <h3 className="font-semibold">Your imports</h3>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {imports.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-4 py-3">
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{one.name}</p>
              <p className="tabular text-sm text-muted">
                {visitMoment(one.createdAt, timeZone)} · {plural(one.rows, 'appointment')}
              </p>
            </div>
            <Button
              variant="quiet"
              className="-mx-4 text-danger"
              aria-label={`Undo the import of ${one.name}`}
              onClick={() => setRemoving(one)}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
      {removing && <UndoDialog one={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}

function UndoDialog({ one, onClose }: { one: Imports[number]; onClose: () => void }) {
  const utils = trpc.useUtils()
  const remove = trpc.imports.remove.useMutation({
    onSuccess: async () => {
      await Promise.all([
        utils.imports.list.invalidate(),
        utils.booking.invalidate(),
        utils.availability.invalidate(),
      ])
      onClose()
      void showToast('The import is undone.')
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Undo this import?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={remove.isPending}
            onClick={() => remove.mutate({ id: one.id })}
          >
            Undo import
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>
        The times of {plural(one.rows, 'appointment')} of{' '}
        <strong className="wrap-anywhere">{one.name}</strong> can be booked again straight away.
      </p>
      {remove.error && (
        <Notice kind="danger" role="alert" title="Not undone" className="mt-4">
          <p>{describeFailure(remove.error).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}

/** First step: choosing a file. */
function FileForm({ importing }: { importing: Importing }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        CSV file
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        The first row names the columns: a start, and an end or a number of minutes. Exports of
        Google Calendar, Outlook and Excel work as they are.
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
  endDay: { label: 'Day of the end', hint: 'If the end is only a time, on another day.' },
  end: { label: 'End', hint: 'If it’s only a time, it’s on the same day as the start.' },
  allDay: { label: 'All day', hint: 'Says “true” or “yes” for whole days.' },
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
function ColumnsForm({ importing }: { importing: Importing }) {
  const { file, form, restart } = importing
  if (file === null) return null
  return (
    <FormFrame
      form={form}
      label="Columns of the file"
      failureTitle="Not yet"
      className="max-w-none! gap-5!"
    >
      <p className="wrap-anywhere">
        <strong>{file.name}</strong>, {plural(file.table.rows.length, 'row')}
      </p>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {FIELDS.map((field) => (
          <Select
            key={field}
            {...LABELS[field]}
            isOptional={field !== 'start'}
            {...form.text(field)}
          >
            <option value="">{field === 'start' ? 'Choose a column' : 'None'}</option>
            {file.table.head.slice(0, 200).map((name, at) => (
              // Columns have no other key.
              <option key={at} value={at}>
                {(name || `Column ${at + 1}`) + exampleOf(importing, at)}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {importing.order === 'ask' && (
        <RadioCards
          id={`${form.id}-dates`}
          name={`${form.id}-dates`}
          legend="How are dates written?"
          error={form.errors['dates']}
          isCompact
          choices={[
            { value: 'dmy', label: 'Day first', detail: '31/12/2026' },
            { value: 'mdy', label: 'Month first', detail: '12/31/2026' },
          ]}
          value={form.values.dates}
          onChange={(dates) => form.set('dates', dates)}
        />
      )}
      {(importing.order === 'dmy' || importing.order === 'mdy') && (
        <p className="text-muted">
          {importing.order === 'dmy'
            ? 'Dates in this file have the day first, as 31/12/2026.'
            : 'Dates in this file have the month first, as 12/31/2026.'}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy}>
          Check the file
        </Button>
        {/* Not while checking: the result would arrive without its file. */}
        <Button variant="quiet" disabled={form.isBusy} onClick={restart}>
          Cancel
        </Button>
      </div>
      <p className="text-sm text-muted">You’ll see the result before anything is imported.</p>
    </FormFrame>
  )
}

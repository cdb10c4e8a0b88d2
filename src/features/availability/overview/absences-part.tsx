import { useState } from 'react'
import * as z from 'zod/mini'
import { formatWeekdayDate, regionOf } from '#app/features/availability/hours/hours-format.ts'
import { Panel, StaleHelp, useConfirmedChange } from '#app/features/availability/own/own-hours.tsx'
import { CancelVisitsDialog } from '#app/features/availability/time-off/cancel-visits-dialog.tsx'
import { daysBetween } from '#app/lib/dates/calendar-days.ts'
import { plural } from '#app/lib/format/words.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { VisitInTimeOff } from '#contract/visits.ts'
import { EntryList, RemoveDialog } from './entry-list.tsx'

type Absence = Availability['absences'][number]

/** The visits to show: given ids, all preselected, or those of one absence. */
type VisitSelection = { ids: readonly string[] } | { absenceId: string }

function isSelected(looked: VisitSelection, visit: VisitInTimeOff): boolean {
  return 'ids' in looked ? looked.ids.includes(visit.id) : looked.absenceId === visit.absenceId
}

/** Time off as date ranges: adding, changing and deleting it, and the visits booked within it. */
export function AbsencesPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const [selection, setSelection] = useState<VisitSelection | null>(null)
  const { data: affected = [], error, refetch } = trpc.visits.inTimeOff.useQuery({})
  const affectedBy = (absence: Absence) =>
    affected.filter(({ absenceId }) => absenceId === absence.id).length
  const region = regionOf(mine)
  const days = ({ from, to }: Absence) =>
    from === to
      ? formatWeekdayDate(from, region)
      : `${formatWeekdayDate(from, region)} to ${formatWeekdayDate(to, region)}`
  const placeName = (id: string | null) =>
    id === null ? 'All places' : mine.places.find((one) => one.id === id)?.name
  return (
    <Panel id="time-off" title="Time off" lead="Nothing can be booked on these days.">
      {error !== null && mine.absences.length > 0 && (
        <div className="mb-4">
          <LoadNotice
            title="We couldn’t check for visits booked on these days"
            error={error}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      <EntryList
        entries={mine.absences}
        nameOf={(absence) => `time off, ${days(absence)}`}
        empty="No time off is planned."
        addLabel="Add time off"
        render={(absence) => (
          <>
            <p className="tabular font-semibold">{days(absence)}</p>
            <p className="text-muted wrap-anywhere">
              {[
                plural(daysBetween(absence.from, absence.to) + 1, 'day'),
                mine.places.length > 1 && placeName(absence.placeId),
                absence.note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {affectedBy(absence) > 0 && (
              <Button
                variant="quiet"
                className="-ml-4"
                aria-label={`${plural(affectedBy(absence), 'booked visit')}, ${days(absence)}`}
                onClick={() => setSelection({ absenceId: absence.id })}
              >
                {plural(affectedBy(absence), 'booked visit')}
              </Button>
            )}
          </>
        )}
        renderForm={(absence, close) => (
          <AbsenceForm
            mine={mine}
            absence={absence}
            onCancelVisits={(ids) => setSelection({ ids })}
            onClose={close}
          />
        )}
        renderRemove={(absence, close) => (
          <RemoveDialog
            places={mine.places}
            title="Delete this time off?"
            action="Delete time off"
            done="The time off is deleted."
            act={(confirmed) =>
              client.availability.removeAbsence.mutate({
                id: absence.id,
                version: mine.version,
                confirmed,
              })
            }
            onClose={close}
          >
            <p>
              {days(absence)}: your usual hours can be booked again on{' '}
              {absence.from === absence.to ? 'this day' : 'these days'}.
            </p>
          </RemoveDialog>
        )}
      />
      {selection !== null && (
        <CancelVisitsDialog
          places={mine.places}
          isListed={(visit) => isSelected(selection, visit)}
          chosen={'ids' in selection ? selection.ids : []}
          onClose={() => setSelection(null)}
        />
      )}
    </Panel>
  )
}

const AbsenceSchema = z
  .object({
    /** Empty means every place. */
    placeId: z.string(),
    from: z.iso.date({ error: 'date_invalid' }),
    to: z.iso.date({ error: 'date_invalid' }),
    note: z.string().check(z.trim(), z.maxLength(200, { error: 'Use at most 200 characters.' })),
  })
  .check(
    z.refine(({ from, to }) => to >= from, { error: errorMessage('dates_inverted'), path: ['to'] }),
  )

type AbsenceFormProps = {
  mine: Availability
  /** The absence to edit; adds a new one when null. */
  absence: Absence | null
  /** Called with the visits to cancel once the time off is saved. */
  onCancelVisits: (ids: string[]) => void
  onClose: () => void
}

/** Form for a date range of absence from one place or all of them. */
function AbsenceForm({ mine, absence, onCancelVisits, onClose }: AbsenceFormProps) {
  const { client } = trpc.useUtils()
  const { send, question } = useConfirmedChange(mine.places, onCancelVisits)
  const form = useForm({
    blank: {
      from: absence?.from ?? '',
      to: absence?.to ?? '',
      placeId: absence?.placeId ?? '',
      note: absence?.note ?? '',
    },
    schema: AbsenceSchema,
    // A single day needs only the first date.
    toInput: (values) => ({ ...values, to: values.to === '' ? values.from : values.to }),
    send: ({ placeId, ...input }) =>
      send((confirmed) =>
        client.availability.addAbsence.mutate({
          ...input,
          placeId: placeId === '' ? null : placeId,
          version: mine.version,
          confirmed,
          ...(absence !== null && { replaces: absence.id }),
        }),
      ),
    codeFields: { date_too_far: 'to', date_invalid: 'from' },
    onSent: ({ saved }) => {
      if (!saved) return
      onClose()
      void showToast(absence === null ? 'Your time off is added.' : 'Your time off is saved.')
    },
  })
  return (
    <>
      <FormFrame
        form={form}
        label={absence === null ? 'Time off' : 'Change time off'}
        failureTitle="Not saved"
      >
        <StaleHelp failure={form.failure} />
        <div className="grid items-end gap-x-4 gap-y-5 sm:grid-cols-2">
          <TextInput type="date" label="First day" {...form.text('from')} />
          <TextInput
            type="date"
            label="Last day"
            isOptional
            min={form.values.from}
            {...form.text('to')}
          />
        </div>
        {mine.places.length > 1 && (
          <Select
            id={`${form.id}-placeId`}
            label="Place"
            value={form.values.placeId}
            onChange={({ target }) => form.set('placeId', target.value)}
          >
            <option value="">All places</option>
            {mine.places.map(({ id: placeId, name, locality }) => (
              <option key={placeId} value={placeId}>
                {name}, {locality}
              </option>
            ))}
          </Select>
        )}
        <TextInput
          label="Note"
          isOptional
          hint="Only you see it."
          maxLength={200}
          {...form.text('note')}
        />
        <FormButtons
          send={absence === null ? 'Add this time off' : 'Save time off'}
          isBusy={form.isBusy}
          onCancel={onClose}
        />
      </FormFrame>
      {question}
    </>
  )
}

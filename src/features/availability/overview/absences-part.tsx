import { useState } from 'react'
import { plural, regionOf, sayDate } from '#app/features/availability/hours/words.ts'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { CancelVisitsDialog } from '#app/features/availability/time-off/cancel-visits-dialog.tsx'
import { daysBetween } from '#app/lib/calendar-days.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { Availability } from '#contract/availability.ts'
import type { VisitInTimeOff } from '#contract/visits.ts'
import { AbsenceForm } from './absence-form.tsx'
import { EntryList } from './entry-list.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

type Absence = Availability['absences'][number]

/** Which visits in time off are looked at: those named, all ticked, or those of an absence. */
type Looked = { ids: readonly string[] } | { absenceId: string }

function isLooked(looked: Looked, visit: VisitInTimeOff): boolean {
  return 'ids' in looked ? looked.ids.includes(visit.id) : looked.absenceId === visit.absenceId
}

/** Days off as ranges of dates: added, changed and deleted, and the visits that are booked in them. */
export function AbsencesPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const [looked, setLooked] = useState<Looked | null>(null)
  const { data: met = [] } = trpc.visits.inTimeOff.useQuery({})
  const metBy = (absence: Absence) => met.filter(({ absenceId }) => absenceId === absence.id).length
  const region = regionOf(mine)
  const days = ({ from, to }: Absence) =>
    from === to ? sayDate(from, region) : `${sayDate(from, region)} to ${sayDate(to, region)}`
  const placeName = (id: string | null) =>
    id === null ? 'All places' : mine.places.find((one) => one.id === id)?.name
  return (
    <Panel id="time-off" title="Time off" lead="Nothing can be booked on these days.">
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
            {metBy(absence) > 0 && (
              <Button
                variant="quiet"
                className="-ml-4"
                aria-label={`${plural(metBy(absence), 'booked visit')}, ${days(absence)}`}
                onClick={() => setLooked({ absenceId: absence.id })}
              >
                {plural(metBy(absence), 'booked visit')}
              </Button>
            )}
          </>
        )}
        renderForm={(absence, close) => (
          <AbsenceForm
            mine={mine}
            absence={absence}
            onCancelVisits={(ids) => setLooked({ ids })}
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
      {looked !== null && (
        <CancelVisitsDialog
          places={mine.places}
          isListed={(visit) => isLooked(looked, visit)}
          chosen={'ids' in looked ? looked.ids : []}
          onClose={() => setLooked(null)}
        />
      )}
    </Panel>
  )
}

import { visitTimes } from '#app/features/availability/hours/hours-format.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { FieldMessage } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import type { Availability } from '#contract/availability.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import { deskKindLabels } from '#contract/booking-desk.ts'
import type { VisitInTimeOff } from '#contract/visits.ts'

type Places = Availability['places']

type VisitTimeProps = {
  visit: Pick<VisitInTimeOff, 'startsAt' | 'endsAt' | 'timeZone'>
  places: Places
}

/** "Tuesday 3 March, 09:00 to 09:30". */
export function VisitTime({ visit, places }: VisitTimeProps) {
  const { startsAt, timeZone } = visit
  return (
    <time dateTime={startsAt} className="tabular">
      {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')}, {visitTimes(visit, { places })}
    </time>
  )
}

/** How to reach a patient without an email address. */
export function callText(phone: string | null): string {
  return phone === null ? 'No email address or phone number' : `No email address, call ${phone}`
}

type VisitChoiceProps = {
  id: string
  visits: readonly VisitInTimeOff[]
  places: Places
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: string[]) => void
}

/** Checkboxes for the visits to cancel, with one to select all. */
export function VisitChoice({ id, visits, places, chosen, error, onChange }: VisitChoiceProps) {
  const isAll = visits.every((one) => chosen.includes(one.id))
  const toggle = (visitId: string) =>
    onChange(
      chosen.includes(visitId) ? chosen.filter((one) => one !== visitId) : [...chosen, visitId],
    )
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="rounded-field"
    >
      <legend className="mb-1.5 font-semibold">Visits to cancel</legend>
      <FieldMessage id={`${id}-error`} error={error} />
      {visits.length > 1 && (
        <Checkbox
          label={`All ${visits.length} visits`}
          checked={isAll}
          onChange={() => onChange(isAll ? [] : visits.map((one) => one.id))}
        />
      )}
      <ul className="divide-y divide-line border-y border-line">
        {visits.map((visit) => (
          <li key={visit.id} className="py-1">
            <Checkbox
              checked={chosen.includes(visit.id)}
              onChange={() => toggle(visit.id)}
              label={
                <>
                  <span className="block font-medium">
                    <VisitTime visit={visit} places={places} />
                  </span>
                  <span className="block text-muted wrap-anywhere">
                    {[
                      visit.patient,
                      visit.desk !== null && deskKindLabels[visit.desk.kind],
                      places.length > 1 && places.find((one) => one.id === visit.placeId)?.name,
                      visit.refund !== null && formatExactMoney(visit.refund),
                      visit.desk?.hasEmail === false && callText(visit.desk.phone),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </>
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Select } from '#app/ui/fields.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { timeZoneLabel } from '#contract/base/intl.ts'
import { timeZonesOf } from '#contract/base/time-zones.ts'
import type { OwnProfile, PlaceZoneChange } from '#contract/profiles-own.ts'
import { useUpdateOwnProfile } from './own-section.tsx'

type Place = OwnProfile['places'][number]

/** "Mountain Time (Denver)", "Eastern Time (Knox, Indiana)", "London time": each zone of a region differs. */
function zoneName(timeZone: string): string {
  if (timeZone.startsWith('Europe/')) return timeZoneLabel(timeZone)
  const [town, area] = timeZone.replaceAll('_', ' ').split('/').slice(1).toReversed()
  return `${timeZoneLabel(timeZone)} (${[town, area].filter(Boolean).join(', ')})`
}

/** Whether two zones show the same time now and in half a year. */
function haveSameClock(one: string, other: string): boolean {
  const months = [1, 7].map((month) => `2026-${String(month).padStart(2, '0')}-15T12:00:00Z`)
  return months.every(
    (at) => dayOf(at, one) === dayOf(at, other) && formatTime(at, one) === formatTime(at, other),
  )
}

type PlaceZoneProps = { place: Place; region: OwnProfile['region'] }

/** The time zone of a place, and the button that changes it where its country has several. */
export function PlaceZone({ place, region }: PlaceZoneProps) {
  const [isOpen, setOpen] = useState(false)
  const { codeTimeZone, timeZone } = place
  return (
    <div className="ml-7.5 flex flex-col items-start gap-1">
      <p className="text-muted">
        Time zone: <span className="text-ink">{zoneName(timeZone)}</span>
      </p>
      {!haveSameClock(timeZone, codeTimeZone) && (
        <Notice title="Is this the time zone here?">
          <p>
            {`ZIP code ${place.postcode} has ${zoneName(codeTimeZone)}. If your hours are an hour off, change the time zone.`}
          </p>
        </Notice>
      )}
      {timeZonesOf[region].length > 1 && (
        <Button
          variant="quiet"
          className="-ml-4"
          aria-label={`Change the time zone of ${place.hospital_name}`}
          onClick={() => setOpen(true)}
        >
          Change time zone
        </Button>
      )}
      {isOpen && <ZoneDialog place={place} region={region} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** Chooses a zone, lists what changes with it, and saves it once that has been seen. */
function ZoneDialog({ place, region, onClose }: PlaceZoneProps & { onClose: () => void }) {
  const [timeZone, setTimeZone] = useState(place.codeTimeZone)
  const updateProfile = useUpdateOwnProfile()
  const { id: placeId } = place
  const isNew = timeZone !== place.timeZone
  const change = trpc.profiles.placeZone.useQuery(
    { placeId, timeZone },
    { enabled: isNew, staleTime: 0, gcTime: 0 },
  )
  const save = trpc.profiles.changePlaceZone.useMutation({
    onSuccess: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast('The time zone is changed.')
    },
    // A visit may have been booked since the list was read.
    onError: () => change.refetch(),
  })
  const listed = isNew ? change.data : undefined
  const failure = save.error ?? (isNew ? change.error : null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isBusy={save.isPending}
      title={`Time zone of ${place.hospital_name}`}
      footer={
        <>
          <Button
            isBusy={save.isPending}
            disabled={listed === undefined || change.isFetching}
            onClick={() =>
              listed &&
              save.mutate({ placeId, timeZone, confirmed: listed.visits.map(({ id }) => id) })
            }
          >
            Change time zone
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it as it is
          </Button>
        </>
      }
    >
      <Select
        id={`zone-${placeId}`}
        label="Time zone"
        value={timeZone}
        onChange={(event) => {
          save.reset()
          setTimeZone(event.target.value)
        }}
      >
        {timeZonesOf[region].map((zone) => (
          <option key={zone} value={zone}>
            {zone === place.timeZone ? `${zoneName(zone)}, as now` : zoneName(zone)}
          </option>
        ))}
      </Select>
      <div aria-live="polite" className="mt-4">
        {isNew ? (
          listed && <ChangeList change={listed} isMain={place.isMain} />
        ) : (
          <p className="text-muted">Choose another one to see what it changes.</p>
        )}
      </div>
      {failure && (
        <Notice kind="danger" role="alert" title="Not changed" className="mt-4">
          <p>{describeFailure(failure).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}

/** What changes with another zone: hours, free times, and the visits that read differently. */
function ChangeList({ change, isMain }: { change: PlaceZoneChange; isMain: boolean }) {
  const { to, visits } = change
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        {change.hours && (
          <li>{`Your hours stay as you entered them, by ${zoneName(to)} from now on.`}</li>
        )}
        <li>Free times are made again. Patients see the new ones at once.</li>
        {isMain && (
          <li>
            Time off, blocked times and all-day entries of your external calendars follow the clock
            of your main place, so they change with it.
          </li>
        )}
        {change.importedTimes > 0 && (
          <li>
            Imported appointments keep the moment they were imported for. If they’re an hour off
            now, undo the import and import the file again.
          </li>
        )}
        <li>
          {visits.length === 0
            ? 'No booked visit reads differently.'
            : 'Booked visits stay at the moment that was agreed. We don’t email your patients about it: tell them if what you agreed was the time on your clock.'}
        </li>
      </ul>
      {visits.length > 0 && (
        <section aria-label="Visits that will read differently">
          <h3 className="font-semibold">
            {visits.length === 1
              ? '1 visit will read differently'
              : `${visits.length} visits will read differently`}
          </h3>
          <ul className="mt-1 flex flex-col divide-y divide-line">
            {visits.map((visit) => (
              <li key={visit.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
                <span className="wrap-anywhere">{visit.patient}</span>
                <span className="tabular">
                  <Moment at={visit.startsAt} timeZone={visit.timeZone} />
                  <span className="text-muted"> will read </span>
                  <strong>
                    {dayOf(visit.startsAt, to) === dayOf(visit.startsAt, visit.timeZone) ? (
                      <time dateTime={visit.startsAt}>{formatTime(visit.startsAt, to)}</time>
                    ) : (
                      <Moment at={visit.startsAt} timeZone={to} />
                    )}
                  </strong>
                </span>
                {visit.leavesHours && <Badge tone="accent">Outside your hours</Badge>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Moment({ at, timeZone }: { at: string; timeZone: string }) {
  return (
    <time dateTime={at}>
      {`${formatDay(dayOf(at, timeZone), timeZone)}, ${formatTime(at, timeZone)}`}
    </time>
  )
}

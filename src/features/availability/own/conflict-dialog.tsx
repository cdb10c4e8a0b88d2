import { plural } from '#app/features/availability/hours/format.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Availability, VisitOutside } from '#contract/availability.ts'
import { isDeskId } from '#contract/ids.ts'

type Places = Availability['places']

/** Booked visits, earliest first: when, who and where. */
export function VisitList({ visits, places }: { visits: readonly VisitOutside[]; places: Places }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {visits.map(({ id, patient, startsAt, endsAt, timeZone, placeId }) => (
        <li key={id} className="py-2.5">
          <p className="tabular font-semibold">
            <time dateTime={startsAt}>
              {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')},{' '}
              {formatTime(startsAt, timeZone)} to {formatTime(endsAt, timeZone)}
            </time>
          </p>
          <p className="wrap-anywhere text-muted">
            {patient}
            {places.length > 1 && `, ${places.find((one) => one.id === placeId)?.name ?? ''}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

type ConflictDialogProps = {
  visits: readonly VisitOutside[]
  places: Places
  onKeep: () => void
  /** Saves and continues with cancelling; omitted for permanent changes of hours. */
  onCancelVisits?: (() => void) | undefined
  onClose: () => void
}

/** Asks before a change leaves booked visits outside the hours. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { visits, places, onKeep, onCancelVisits, onClose } = props
  const isOne = visits.length === 1
  const isPaid = visits.some(({ id }) => !isDeskId(id))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${plural(visits.length, 'booked visit')} outside these hours`}
      footer={
        <>
          <Button onClick={onKeep}>
            {isOne ? 'Save and keep the visit' : 'Save and keep the visits'}
          </Button>
          {onCancelVisits !== undefined && (
            <Button variant="secondary" onClick={onCancelVisits}>
              {isOne ? 'Save and cancel the visit' : 'Save and cancel visits'}
            </Button>
          )}
          <Button variant={onCancelVisits === undefined ? 'secondary' : 'quiet'} onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <p className="mb-2">
        {isOne ? 'It stays booked' : 'They stay booked'}, and you are expected to see{' '}
        {isOne ? 'this patient' : 'these patients'}
        {onCancelVisits === undefined
          ? '. No new visits are offered there.'
          : `, unless you cancel ${isOne ? 'it' : 'them'}${isPaid ? ' with a full refund' : ''}. No new visits are offered there.`}
      </p>
      <VisitList visits={visits} places={places} />
    </Dialog>
  )
}

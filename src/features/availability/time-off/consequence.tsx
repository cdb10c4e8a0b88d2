import { plural } from '#app/features/availability/hours/words.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { VisitInTimeOff } from '#contract/visits.ts'
import { totalOf } from './fate-list.tsx'

type Visits = readonly VisitInTimeOff[]

/** What becomes of those who booked online: all that is left goes back, and they are emailed. */
function OfPaid({ visits }: { visits: Visits }) {
  const total = totalOf(visits.flatMap(({ refund }) => refund ?? []))
  return (
    <p>
      {total === null ? 'We’ll email ' : `We’ll refund ${total} and email `}
      {visits.length === 1 ? 'the patient' : `${visits.length} patients`} with your next free times.
    </p>
  )
}

/** Whom an email reaches of those who were put in at the desk, and whom it does not. */
function toldWords(visits: Visits): string {
  const told = visits.filter(({ desk }) => desk?.hasEmail === true).length
  const untold = visits.length - told
  if (untold === 0) return told === 1 ? 'We’ll email the patient.' : 'We’ll email the patients.'
  if (told === 0) {
    return untold === 1
      ? 'We have no email address: let the patient know yourself.'
      : 'We have no email addresses: let the patients know yourself.'
  }
  return `We’ll email ${plural(told, 'patient')}; let the other ${untold === 1 ? 'one' : untold} know yourself.`
}

/** What cancelling these visits does, by how they were booked: how many of each, and who hears of it how. */
export function Consequence({ going }: { going: Visits }) {
  const paid = going.filter(({ desk }) => desk === null)
  const desk = going.filter(({ desk: of }) => of !== null)
  const title =
    paid.length === 0
      ? `Nothing was paid for ${desk.length === 1 ? 'this visit' : 'these visits'}`
      : `${paid.length === 1 ? 'The patient gets' : 'The patients get'} a full refund`
  return (
    <Notice
      kind="warn"
      title={
        desk.length > 0 && paid.length > 0
          ? `${paid.length} booked online, ${desk.length} put in at the desk`
          : title
      }
    >
      {paid.length > 0 && <OfPaid visits={paid} />}
      {desk.length > 0 && (
        <p className="mt-1">
          {paid.length > 0 &&
            `${plural(desk.length, 'visit')} put in at the desk: nothing was paid. `}
          {toldWords(desk)}
        </p>
      )}
    </Notice>
  )
}

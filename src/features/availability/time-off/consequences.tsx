import { plural } from '#app/features/availability/hours/words.ts'
import { Notice } from '#app/ui/notice.tsx'
import { isDeskId } from '#contract/ids.ts'
import { formatExactMoney, type Money } from '#contract/money.ts'
import { sentenceFor } from '#contract/sentences.ts'
import type { CancelFate, VisitInTimeOff } from '#contract/visits.ts'
import { type Fates, isCancelled } from './use-cancel-turns.ts'
import { callWords, VisitTime } from './visit-choice.tsx'

/** "£120.00", or null if there is nothing to refund. */
function totalOf(refunds: readonly Money[]): string | null {
  const minor = refunds.reduce((sum, one) => sum + one.minor, 0)
  // A provider is paid in one currency.
  const [{ currency } = { currency: 'GBP' }] = refunds
  return minor === 0 ? null : formatExactMoney({ minor, currency })
}

type Visits = readonly VisitInTimeOff[]

/** Patients who booked online: the remaining amount is refunded, and they are emailed. */
function OfPaid({ visits }: { visits: Visits }) {
  const total = totalOf(visits.flatMap(({ refund }) => refund ?? []))
  return (
    <p>
      {total === null ? 'We’ll email ' : `We’ll refund ${total} and email `}
      {visits.length === 1 ? 'the patient' : `${visits.length} patients`} with your next free times.
    </p>
  )
}

/** Which patients booked at the desk are emailed, and which the provider has to tell. */
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

/** Effect of cancelling, by booking channel: the number of visits, and how patients are notified. */
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

function wordsOf({ refusal, refund }: CancelFate, { desk }: VisitInTimeOff): string {
  if (refusal === 'visit_cancelled') return 'Already cancelled'
  if (refusal !== null) return `Not cancelled: ${sentenceFor(refusal, { what: 'visit' })}`
  if (desk !== null) {
    return desk.hasEmail ? 'Cancelled, patient emailed' : `Cancelled. ${callWords(desk.phone)}`
  }
  if (refund === null || refund.minor === 0) return 'Cancelled'
  return `Cancelled, ${formatExactMoney(refund)} refunded`
}

type FateListProps = { fates: Fates; visits: readonly VisitInTimeOff[] }

/** Result for each visit: cancelled with its refund, or why not. */
export function FateList({ fates, visits }: FateListProps) {
  const all = [...fates.values()]
  const failed = all.filter((one) => !isCancelled(one))
  const done = all.filter(isCancelled)
  const back = totalOf(done.flatMap(({ refund }) => refund ?? []))
  const ofDesk = done.filter(({ id }) => isDeskId(id)).length
  const online = done.length - ofDesk
  const isTold = visits.every(({ id, desk }) => desk?.hasEmail !== false || !fates.has(id))
  const title =
    failed.length === 0
      ? `${plural(done.length, 'visit')} cancelled`
      : `${failed.length} of ${plural(all.length, 'visit')} ${failed.length === 1 ? 'is' : 'are'} not cancelled`
  return (
    <Notice
      kind={failed.length === 0 ? 'ok' : 'danger'}
      role={failed.length === 0 ? 'status' : 'alert'}
      title={title}
    >
      {back !== null && (
        <p>
          {back} will be refunded. We’ve{' '}
          {isTold ? 'emailed the patients' : 'emailed everyone with an address'}.
        </p>
      )}
      {ofDesk > 0 && online > 0 && (
        <p>
          {online} booked online, {ofDesk} put in at the desk.
        </p>
      )}
      <ul className="mt-2 flex flex-col gap-2">
        {visits.map((visit) => {
          const fate = fates.get(visit.id)
          if (fate === undefined) return null
          return (
            <li key={visit.id}>
              <p className="font-medium wrap-anywhere">
                <VisitTime visit={visit} /> · {visit.patient}
              </p>
              <p className={isCancelled(fate) ? 'text-muted' : 'font-medium text-danger'}>
                {wordsOf(fate, visit)}
              </p>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

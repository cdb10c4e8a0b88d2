import { type RefObject, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { plural } from '#app/lib/format/words.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { CancelReasonFields } from '#app/parts/visits/cancel-reason-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Availability } from '#contract/availability.ts'
import { isDeskId } from '#contract/base/ids.ts'
import { formatExactMoney, type Money } from '#contract/base/money.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { deskUnsentTexts } from '#contract/booking-desk.ts'
import {
  CancelManyInput,
  CancelReason,
  type CancelResult,
  MAX_CANCELLED,
  type VisitInTimeOff,
} from '#contract/visits.ts'
import { callText, VisitChoice, VisitTime } from './visit-choice.tsx'

const Schema = z.object({
  ids: z.array(z.string()).check(z.minLength(1, { error: 'Choose at least one visit.' })),
  reason: CancelReason,
  note: CancelManyInput.shape.note,
})

type FormProps = {
  visits: readonly VisitInTimeOff[]
  places: Availability['places']
  chosen: readonly string[]
  /** True if some visits could not be cancelled in the previous attempt. */
  isAgain: boolean
  cancel: ReturnType<typeof useCancelBatches>['cancel']
  onSent: () => Promise<void>
  onClose: () => void
}

function CancelForm({ visits, places, chosen, isAgain, cancel, onSent, onClose }: FormProps) {
  const form = useForm({
    blank: {
      ids: visits.map(({ id }) => id).filter((id) => chosen.includes(id)),
      reason: '',
      note: '',
    },
    schema: Schema,
    send: ({ ids, reason, note }) => {
      const named = visits.filter(({ id }) => ids.includes(id))
      return cancel({
        visits: named,
        reason,
        ...(note ? { note } : {}),
      })
    },
    onSent,
  })
  const { ids } = form.values
  const selected = visits.filter(({ id }) => ids.includes(id))
  const paid = selected.filter(({ desk }) => desk === null)
  return (
    <FormFrame
      form={form}
      label="Cancel visits in your time off"
      failureTitle="Not all visits are cancelled"
    >
      <VisitChoice
        id={`${form.id}-ids`}
        visits={visits}
        places={places}
        chosen={ids}
        error={form.errors['ids']}
        onChange={(next) => form.set('ids', next)}
      />
      {selected.length > 0 && <Consequence going={selected} />}
      <CancelReasonFields
        reason={form.text('reason')}
        note={form.text('note')}
        isForSeveral={selected.length > 1}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" isBusy={form.isBusy}>
          {isAgain ? 'Try again: cancel ' : 'Cancel '}
          {plural(selected.length, 'visit')}
          {(paid.length > 0 || selected.length === 0) && ' and refund'}
        </Button>
        <Button variant="secondary" disabled={form.isBusy} onClick={onClose}>
          {isAgain ? 'Close' : visits.length === 1 ? 'Keep visit' : 'Keep them'}
        </Button>
      </div>
    </FormFrame>
  )
}

type BodyProps = {
  /** As they were when the dialog opened. */
  listed: readonly VisitInTimeOff[]
  places: Availability['places']
  chosen: readonly string[]
  onClose: () => void
  top: RefObject<HTMLDivElement | null>
}

function CancelBody({ listed, places, chosen, onClose, top }: BodyProps) {
  const utils = trpc.useUtils()
  const { fates, cancel } = useCancelBatches()
  // Visits that can be cancelled, with current refunds; null before the first response.
  const [refreshed, setRefreshed] = useState<readonly VisitInTimeOff[] | null>(null)
  const isLeft = ({ id }: VisitInTimeOff) => {
    const result = fates.get(id)
    // After a response only rejected visits are offered again; kept visits stay kept.
    return result === undefined ? refreshed === null : !isCancelled(result)
  }
  const left = (refreshed ?? listed).filter(isLeft)
  const sent = async () => {
    await Promise.all([utils.booking.invalidate(), utils.availability.invalidate()])
    await utils.visits.inTimeOff.invalidate()
    setRefreshed(await utils.visits.inTimeOff.fetch({}))
    top.current?.focus()
  }
  return (
    <div ref={top} tabIndex={-1} className="flex flex-col gap-6 rounded-field">
      {fates.size > 0 && <CancelResultList fates={fates} visits={listed} places={places} />}
      {left.length > 0 ? (
        <CancelForm
          // Remounts the form for rejected visits, with current data.
          key={refreshed === null ? 'first' : left.map(({ id }) => id).join(' ')}
          visits={left}
          places={places}
          chosen={refreshed === null ? chosen : left.map(({ id }) => id)}
          isAgain={refreshed !== null}
          cancel={cancel}
          onSent={sent}
          onClose={onClose}
        />
      ) : (
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      )}
    </div>
  )
}

type CancelVisitsDialogProps = {
  places: Availability['places']
  /** Selects the visits in time off that this dialog is about. */
  isListed: (visit: VisitInTimeOff) => boolean
  /** Ids of the visits preselected at first. */
  chosen: readonly string[]
  onClose: () => void
}

/** Visits in time off that is saved: each can be cancelled with a full refund, or kept. */
export function CancelVisitsDialog({ places, isListed, chosen, onClose }: CancelVisitsDialogProps) {
  const top = useRef<HTMLDivElement>(null)
  const { data, error, isFetching, refetch } = trpc.visits.inTimeOff.useQuery(
    {},
    { staleTime: 0, retry: false },
  )
  // The list stays fixed while the dialog is open; results are shown next to it.
  const [listed, setListed] = useState<readonly VisitInTimeOff[] | null>(null)
  // Never an older list: the time off may have been saved since.
  if (listed === null && !isFetching && !error && data) setListed(data.filter(isListed))
  return (
    <Dialog isOpen onClose={onClose} title="Visits in your time off">
      {listed === null && isFetching && <PendingShapes shapes={['h-64']} />}
      {listed === null && !isFetching && (
        <LoadNotice title="The list didn’t load" error={error} onRetry={() => void refetch()} />
      )}
      {listed !== null && listed.length === 0 && (
        <p>No upcoming visits are booked in this time off.</p>
      )}
      {listed !== null && listed.length > 0 && (
        <CancelBody listed={listed} places={places} chosen={chosen} onClose={onClose} top={top} />
      )}
    </Dialog>
  )
}

/** "£120.00", or null if there is nothing to refund. */
function totalOf(refunds: readonly Money[]): string | null {
  const minor = refunds.reduce((sum, one) => sum + one.minor, 0)
  // A provider is paid in one currency.
  const [{ currency } = { currency: 'GBP' }] = refunds
  return minor === 0 ? null : formatExactMoney({ minor, currency })
}

type Visits = readonly VisitInTimeOff[]

/** Patients who booked online: the remaining amount is refunded, and they are emailed. */
function PaidConsequence({ visits }: { visits: Visits }) {
  const total = totalOf(visits.flatMap(({ refund }) => refund ?? []))
  return (
    <p>
      {total === null ? 'We’ll email ' : `We’ll refund ${total} and email `}
      {visits.length === 1 ? 'the patient' : `${visits.length} patients`} with your next free times.
    </p>
  )
}

/** Which patients booked at the desk are emailed, and which the provider has to tell. */
function emailedText(visits: Visits): string {
  const emailed = visits.filter(({ desk }) => desk?.hasEmail === true).length
  const notEmailed = visits.length - emailed
  if (notEmailed === 0)
    return emailed === 1 ? 'We’ll email the patient.' : 'We’ll email the patients.'
  if (emailed === 0) {
    return notEmailed === 1
      ? 'We have no email address: let the patient know yourself.'
      : 'We have no email addresses: let the patients know yourself.'
  }
  return `We’ll email ${plural(emailed, 'patient')}; let the other ${notEmailed === 1 ? 'one' : notEmailed} know yourself.`
}

/** Effect of cancelling, by booking channel: the number of visits, and how patients are notified. */
function Consequence({ going }: { going: Visits }) {
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
          ? `${paid.length} booked online, ${desk.length} by phone or walk-in`
          : title
      }
    >
      {paid.length > 0 && <PaidConsequence visits={paid} />}
      {desk.length > 0 && (
        <p className="mt-1">
          {paid.length > 0 &&
            `${plural(desk.length, 'phone or walk-in visit')}: nothing was paid. `}
          {emailedText(desk)}
        </p>
      )}
    </Notice>
  )
}

function resultText({ refusal, refund, unsent }: CancelResult, { desk }: VisitInTimeOff): string {
  if (refusal === 'visit_cancelled') return 'Already cancelled'
  if (refusal !== null) return `Not cancelled: ${errorMessage(refusal, { what: 'visit' })}`
  if (desk !== null) {
    if (unsent !== undefined) return `Cancelled. ${deskUnsentTexts[unsent]} ${callText(desk.phone)}`
    return desk.hasEmail ? 'Cancelled, patient emailed' : `Cancelled. ${callText(desk.phone)}`
  }
  if (refund === null || refund.minor === 0) return 'Cancelled'
  return `Cancelled, ${formatExactMoney(refund)} refunded`
}

type CancelResultListProps = {
  fates: CancelResults
  visits: readonly VisitInTimeOff[]
  places: Availability['places']
}

/** Result for each visit: cancelled with its refund, or why not. */
function CancelResultList({ fates, visits, places }: CancelResultListProps) {
  const all = [...fates.values()]
  const failed = all.filter((one) => !isCancelled(one))
  const done = all.filter(isCancelled)
  const refundTotal = totalOf(done.flatMap(({ refund }) => refund ?? []))
  const ofDesk = done.filter(({ id }) => isDeskId(id)).length
  const online = done.length - ofDesk
  const isEveryoneEmailed = visits.every(
    ({ id, desk }) =>
      (desk?.hasEmail !== false && fates.get(id)?.unsent === undefined) || !fates.has(id),
  )
  const title =
    failed.length === 0
      ? `${plural(done.length, 'visit')} cancelled`
      : `${failed.length} of ${plural(all.length, 'visit')} ${failed.length === 1 ? 'isn’t' : 'aren’t'} cancelled`
  return (
    <Notice
      kind={failed.length === 0 ? 'ok' : 'danger'}
      role={failed.length === 0 ? 'status' : 'alert'}
      title={title}
    >
      {refundTotal !== null && (
        <p>
          {refundTotal} will be refunded. We’ve{' '}
          {isEveryoneEmailed ? 'emailed the patients' : 'emailed everyone with an address'}.
        </p>
      )}
      {ofDesk > 0 && online > 0 && (
        <p>
          {online} booked online, {ofDesk} by phone or walk-in.
        </p>
      )}
      <ul className="mt-2 flex flex-col gap-2">
        {visits.map((visit) => {
          const result = fates.get(visit.id)
          if (result === undefined) return null
          return (
            <li key={visit.id}>
              <p className="font-medium wrap-anywhere">
                <VisitTime visit={visit} places={places} /> · {visit.patient}
              </p>
              <p className={isCancelled(result) ? 'text-muted' : 'font-medium text-danger'}>
                {resultText(result, visit)}
              </p>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

type ListedVisit = Pick<VisitInTimeOff, 'id' | 'sequence' | 'refund'>
type CancelRequest = Pick<CancelManyInput, 'reason' | 'note'> & { visits: readonly ListedVisit[] }

/** Input of one batch: paid visits with their refunds, and desk bookings. */
function toBatch(visits: readonly ListedVisit[]): Pick<CancelManyInput, 'visits' | 'desk'> {
  return {
    visits: visits.flatMap(({ id, sequence, refund }) =>
      refund === null ? [] : { id, sequence, refund },
    ),
    desk: visits.flatMap(({ id, sequence, refund }) => (refund === null ? { id, sequence } : [])),
  }
}

/** Results so far, by visit id. */
type CancelResults = ReadonlyMap<string, CancelResult>

/** True if the visit is cancelled, by this call or an earlier one. */
function isCancelled({ refusal }: CancelResult): boolean {
  return refusal === null || refusal === 'visit_cancelled'
}

/**
 * Cancels any number of visits in batches of the server's maximum size. Each batch keeps its idempotency key
 * until a response arrives, so a retry after a lost response does nothing twice.
 */
function useCancelBatches() {
  const { client } = trpc.useUtils()
  const keys = useRef(new Map<string, string>())
  const [fates, setFates] = useState<CancelResults>(new Map())
  const cancel = async ({ visits, ...shared }: CancelRequest): Promise<void> => {
    for (let from = 0; from < visits.length; from += MAX_CANCELLED) {
      const batch = { ...toBatch(visits.slice(from, from + MAX_CANCELLED)), ...shared }
      const text = JSON.stringify(batch)
      const key = keys.current.get(text) ?? crypto.randomUUID()
      keys.current.set(text, key)
      const context = { idempotencyKey: key }
      // Batches are sequential on purpose.
      const answer = await client.visits.cancelMany.mutate(batch, { context })
      keys.current.delete(text)
      setFates((known) => new Map([...known, ...answer.fates.map((one) => [one.id, one] as const)]))
    }
  }
  return { fates, cancel }
}

import { useState } from 'react'
import * as z from 'zod/mini'
import type { Moment } from '#app/lib/dates/slot-choice.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { CancelReasonFields, MessageField } from '#app/parts/visits/cancel-reason-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import {
  CancelManyInput,
  CancelReason,
  MoveAgreedInput,
  type MovedVisit,
  type VisitTerms,
} from '#contract/visits.ts'
import { ChooseAnother, ChosenTime, type RenderPicker, useSlotChoice } from './move-parts.tsx'
import { ProviderPropose } from './provider-propose.tsx'

const Schema = z.object({
  reason: CancelReason,
  note: CancelManyInput.shape.note,
})

/** What happens to the money and to the time. */
function Consequence({ refund, paid }: Pick<VisitTerms, 'refund' | 'paid'>) {
  const isWhole = refund.minor === paid.minor
  const amount = formatExactMoney(refund)
  const back = isWhole ? `${amount} in full` : `the remaining ${amount}`
  const emailing = 'email the patient with your next free times'
  return (
    <Notice kind="warn" title="The patient gets a full refund">
      <p>
        {refund.minor === 0
          ? `The payment has already been refunded. We’ll ${emailing}.`
          : `We’ll refund ${back} and ${emailing}.`}
      </p>
      <p className="mt-2">
        The time opens to other patients again. If you’re away,{' '}
        <TextLink to="/doctor/availability/all">add time off</TextLink> first.
      </p>
    </Notice>
  )
}

/** The terms of a visit, fetched again each time a dialog about it opens: those shown will apply. */
function useTerms(id: string): VisitTerms {
  const [terms] = trpc.visits.providerTerms.useSuspenseQuery(
    { id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  return terms
}

type CancelProps = { id: string; onClose: () => void }

function CancelForm({ id, onClose }: CancelProps) {
  const { client, visits } = trpc.useUtils()
  const [refusal, setRefusal] = useState<string | null>(null)
  const { sequence, refund, paid } = useTerms(id)
  const form = useForm({
    blank: { reason: '', note: '' },
    schema: Schema,
    send: ({ reason, note }) =>
      client.visits.cancelMany.mutate({
        visits: [{ id, sequence, refund }],
        reason,
        ...(note ? { note } : {}),
      }),
    onSent: async ({ fates }) => {
      const refused = fates[0]?.refusal ?? null
      setRefusal(refused === null ? null : errorMessage(refused, { what: 'visit' }))
      if (refused !== null) {
        // Shows what has changed before asking again.
        await visits.providerTerms.invalidate()
        return
      }
      onClose()
      void showToast('The visit is cancelled. We’ve told the patient.')
    },
  })
  return (
    <FormFrame form={form} label="Cancel this visit" failureTitle="The visit isn’t cancelled">
      {refusal !== null && (
        <Notice kind="danger" role="alert" title="The visit isn’t cancelled">
          <p>{refusal}</p>
        </Notice>
      )}
      <Consequence refund={refund} paid={paid} />
      <CancelReasonFields reason={form.text('reason')} note={form.text('note')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" isBusy={form.isBusy}>
          Cancel and refund
        </Button>
        <Button variant="secondary" disabled={form.isBusy} onClick={onClose}>
          Keep visit
        </Button>
      </div>
    </FormFrame>
  )
}

function CancelDialog(props: CancelProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title="Cancel this visit?">
      <PartBoundary
        failed="This visit can’t be cancelled"
        pending={<PendingShapes shapes={['h-64']} />}
      >
        <CancelForm {...props} />
      </PartBoundary>
    </Dialog>
  )
}

type ActionsProps = { visit: ProviderVisit; renderPicker: RenderPicker }

/** Whether a dialog about a visit is open; closing it shows what it changed, or was changed elsewhere. */
function useVisitDialog() {
  const { booking } = trpc.useUtils()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    void booking.invalidate()
  }
  return { isOpen, open: () => setOpen(true), close }
}

/** A provider's actions on an upcoming visit. */
export function ProviderVisitActions({ visit, renderPicker }: ActionsProps) {
  const { isOpen, open, close } = useVisitDialog()
  const isUpcoming = Date.parse(visit.startsAt) > Date.parse(visit.now)
  if (!isUpcoming || !visitLife.may('cancel', visit.state, 'provider')) return null
  return (
    <div className="flex flex-wrap gap-3">
      <ProviderMove visit={visit} renderPicker={renderPicker} />
      <ProviderPropose visit={visit} renderPicker={renderPicker} />
      <Button variant="secondary" onClick={open}>
        Cancel visit
      </Button>
      {isOpen && <CancelDialog id={visit.id} onClose={close} />}
    </div>
  )
}

const MoveSchema = z.object({ note: MoveAgreedInput.shape.note })

type MoveFormProps = {
  terms: VisitTerms
  to: Moment
  onBack: () => void
  onDone: (moved: MovedVisit) => Promise<void>
}

function AgreedMoveForm({ terms, to, onBack, onDone }: MoveFormProps) {
  const { client, visits, availability } = trpc.useUtils()
  const form = useForm({
    blank: { note: '' },
    schema: MoveSchema,
    send: async ({ note }) => {
      const { id, sequence } = terms
      const { startsAt } = to
      const input = { id, sequence, slot: { startsAt }, ...(note ? { note } : {}) }
      try {
        return await client.visits.moveAgreed.mutate(input)
      } catch (refusal) {
        // Shows what has changed before asking again.
        await Promise.all([visits.providerTerms.invalidate(), availability.freeTimes.invalidate()])
        throw refusal
      }
    },
    onSent: onDone,
  })
  return (
    <FormFrame form={form} label="Move this visit" failureTitle="The visit isn’t moved">
      <ChosenTime from={terms} to={to} />
      <Notice kind="info" title="Agree the time with the patient first">
        <p>
          We’ll email them the new time. From then on they can cancel free of charge until the visit
          begins.
        </p>
      </Notice>
      <MessageField label="Message to the patient" {...form.text('note')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy}>
          Move visit
        </Button>
        <Button variant="secondary" onClick={onBack}>
          Choose another time
        </Button>
      </div>
    </FormFrame>
  )
}

type AgreedMoveProps = {
  visitId: string
  /** A time already chosen. */
  to?: Moment
  renderPicker: RenderPicker
  onClose: () => void
}

function AgreedMove({ visitId, to, renderPicker, onClose }: AgreedMoveProps) {
  const { booking, availability } = trpc.useUtils()
  const terms = useTerms(visitId)
  const choosing = useSlotChoice(to)
  const done = async ({ startsAt, timeZone }: MovedVisit) => {
    onClose()
    void showToast(
      `The visit is moved to ${visitMoment(startsAt, timeZone)}. We’ve told the patient.`,
    )
    await Promise.all([booking.invalidate(), availability.invalidate()])
  }
  if (choosing.confirmed === null) {
    return <ChooseAnother terms={terms} choosing={choosing} renderPicker={renderPicker} />
  }
  return (
    <AgreedMoveForm terms={terms} to={choosing.confirmed} onBack={choosing.back} onDone={done} />
  )
}

/** The provider moves a visit as agreed with its patient: choose a time, look at both, confirm. */
export function AgreedMoveDialog(props: AgreedMoveProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title="Move this visit">
      <PartBoundary
        failed="This visit can’t be moved"
        pending={<PendingShapes shapes={['h-96']} />}
      >
        <AgreedMove {...props} />
      </PartBoundary>
    </Dialog>
  )
}

type MoveProps = { visit: Pick<ProviderVisit, 'id'>; renderPicker: RenderPicker }

/** "Move visit" on the page of an upcoming visit. */
function ProviderMove({ visit, renderPicker }: MoveProps) {
  const { isOpen, open, close } = useVisitDialog()
  return (
    <>
      <Button variant="secondary" onClick={open}>
        Move visit
      </Button>
      {isOpen && (
        <AgreedMoveDialog visitId={visit.id} renderPicker={renderPicker} onClose={close} />
      )}
    </>
  )
}

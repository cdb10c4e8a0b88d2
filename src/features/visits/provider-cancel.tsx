import { useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/use-form.ts'
import { CancelReasonFields } from '#app/parts/cancel-reason-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { formatExactMoney } from '#contract/money.ts'
import { errorMessage } from '#contract/sentences.ts'
import { CancelManyInput, CancelReason, type VisitTerms } from '#contract/visits.ts'
import type { RenderPicker } from './picker.ts'
import { ProviderMove } from './provider-move.tsx'
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
        <TextLink to="/doctor/availability/all">add an absence</TextLink> first.
      </p>
    </Notice>
  )
}

type FormProps = { terms: VisitTerms; onDone: () => Promise<void>; onClose: () => void }

function CancelForm({ terms, onDone, onClose }: FormProps) {
  const { client, visits } = trpc.useUtils()
  const [refusal, setRefusal] = useState<string | null>(null)
  const { id, sequence, refund, paid } = terms
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
      // Shows what has changed before asking again.
      await (refused === null ? onDone() : visits.providerTerms.invalidate())
    },
  })
  return (
    <FormFrame form={form} label="Cancel this visit" failureTitle="The visit is not cancelled">
      {refusal !== null && (
        <Notice kind="danger" role="alert" title="The visit is not cancelled">
          <p>{refusal}</p>
        </Notice>
      )}
      <Consequence refund={refund} paid={paid} />
      <CancelReasonFields reason={form.text('reason')} note={form.text('note')} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" isBusy={form.isBusy}>
          Cancel and refund
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Keep visit
        </Button>
      </div>
    </FormFrame>
  )
}

function CancelDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { booking } = trpc.useUtils()
  const { data: terms, error } = trpc.visits.providerTerms.useQuery(
    { id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const done = async () => {
    onClose()
    void showToast('The visit is cancelled. We’ve told the patient.')
    await booking.invalidate()
  }
  return (
    <Dialog isOpen onClose={onClose} title="Cancel this visit?">
      {error && (
        <Notice kind="danger" role="alert" title="This visit can’t be cancelled">
          <p>{describeFailure(error).sentence}</p>
        </Notice>
      )}
      {terms === undefined && !error && <Skeleton className="h-64 w-full" />}
      {terms !== undefined && !error && (
        <CancelForm terms={terms} onDone={done} onClose={onClose} />
      )}
    </Dialog>
  )
}

type ActionsProps = { visit: ProviderVisit; renderPicker: RenderPicker }

/** A provider's actions on an upcoming visit. */
export function ProviderVisitActions({ visit, renderPicker }: ActionsProps) {
  const [isOpen, setOpen] = useState(false)
  const isComing = visit.state === 'confirmed' && Date.parse(visit.startsAt) > Date.parse(visit.now)
  if (!isComing) return null
  return (
    <div className="flex flex-wrap gap-3">
      <ProviderMove visit={visit} renderPicker={renderPicker} />
      <ProviderPropose visit={visit} renderPicker={renderPicker} />
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Cancel visit
      </Button>
      {isOpen && <CancelDialog id={visit.id} onClose={() => setOpen(false)} />}
    </div>
  )
}

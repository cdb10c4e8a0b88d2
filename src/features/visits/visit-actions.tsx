import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Visit } from '#contract/booking.ts'
import type { VisitTerms } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'
import { ConfirmStep } from './confirm-move.tsx'
import { MoveQuestion } from './move-question.tsx'
import type { RenderPicker } from './picker.ts'
import { ProposedTimes } from './proposed-times.tsx'

type VisitActionsProps = { visit: Visit; renderPicker: RenderPicker }

/** A patient's actions on an upcoming visit. */
export function VisitActions({ visit, renderPicker }: VisitActionsProps) {
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  const { provider, startsAt, timeZone } = visit
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  const which = (
    <span className="sr-only">
      {' '}
      with {provider.name}, {day}
    </span>
  )
  return (
    <div className="flex w-full flex-wrap gap-3">
      <ProposedTimes visit={visit} />
      <Button variant="secondary" onClick={() => setAct('move')}>
        Move visit{which}
      </Button>
      <Button variant="secondary" onClick={() => setAct('cancel')}>
        Cancel visit{which}
      </Button>
      {act === 'move' && (
        <MoveDialog
          visit={visit}
          renderPicker={renderPicker}
          onClose={() => setAct(null)}
          onCancel={() => setAct('cancel')}
        />
      )}
      {act === 'cancel' && <CancelDialog visit={visit} onClose={() => setAct(null)} />}
    </div>
  )
}

type MoveDialogProps = {
  visit: Visit
  renderPicker: RenderPicker
  onClose: () => void
  /** None of the times suits: leads to cancelling. */
  onCancel: () => void
}

/** Moves a visit of the account to another free time of its provider. */
function MoveDialog({ visit, ...dialog }: MoveDialogProps) {
  const { data: terms, error } = trpc.visits.terms.useQuery(
    { id: visit.id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  return (
    <MoveQuestion
      {...dialog}
      visit={visit}
      terms={terms}
      refusal={error}
      renderConfirm={(step) => <ConfirmStep {...step} visit={visit} />}
    />
  )
}

type CancelDialogProps = { visit: Visit; onClose: () => void }

/** The confirmation before cancelling a visit of the account. */
function CancelDialog({ visit, onClose }: CancelDialogProps) {
  const { client, visits, booking } = trpc.useUtils()
  // Fetched anew every time the dialog opens: the terms shown are those that will apply.
  const { data: terms, error } = trpc.visits.terms.useQuery(
    { id: visit.id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const cancelling = useMutation({
    mutationFn: ({ id, sequence, refund }: VisitTerms) =>
      client.visits.cancel.mutate({ id, sequence, refund }),
    onSuccess: async () => {
      onClose()
      void showToast('Your visit is cancelled.')
      await booking.invalidate()
    },
    // Shows what has changed, or the result of a lost response, before asking again.
    onError: () => Promise.all([visits.terms.invalidate(), booking.invalidate()]),
  })
  return (
    <CancelQuestion
      visit={visit}
      isOpen
      onClose={onClose}
      terms={terms}
      refusal={error}
      failure={cancelling.error}
      isBusy={cancelling.isPending}
      onCancel={(shown) => cancelling.mutate(shown)}
    />
  )
}

import { useState } from 'react'
import { dayOf, formatDay } from '#app/lib/format.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { Visit } from '#contract/booking.ts'
import { CancelQuestion } from './cancel-question.tsx'
import type { RenderPicker } from './move-parts.tsx'
import { ConfirmStep, MoveQuestion } from './move-question.tsx'
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
  return (
    <CancelQuestion
      visit={visit}
      onClose={onClose}
      terms={terms}
      refusal={error}
      cancel={({ id, sequence, refund }) => client.visits.cancel.mutate({ id, sequence, refund })}
      refresh={() => Promise.all([visits.terms.invalidate(), booking.invalidate()])}
    />
  )
}

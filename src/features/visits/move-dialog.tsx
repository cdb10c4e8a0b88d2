import { trpc } from '#app/trpc.ts'
import type { Visit } from '#contract/booking.ts'
import { ConfirmStep } from './confirm-move.tsx'
import { MoveQuestion } from './move-question.tsx'
import type { RenderPicker } from './picker.ts'

type MoveDialogProps = {
  visit: Visit
  renderPicker: RenderPicker
  onClose: () => void
  /** None of the times will do: leads to cancelling. */
  onCancel: () => void
}

/** Moves a visit of the account to another free time of its provider. */
export function MoveDialog({ visit, ...dialog }: MoveDialogProps) {
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

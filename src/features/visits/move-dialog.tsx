import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { Visit } from '#contract/booking.ts'
import { ConfirmMove, type ConfirmStepProps, isAboutTime, MoveQuestion } from './move-question.tsx'
import type { RenderPicker } from './picker.ts'

function ConfirmStep({
  visit,
  choice,
  onBack,
  onMoved,
  onGone,
}: ConfirmStepProps & { visit: Visit }) {
  const { client, visits, booking } = trpc.useUtils()
  // What is shown is what will be done: it is asked for each time somebody comes here.
  const { data: terms, error } = trpc.visits.moveTerms.useQuery(
    { id: visit.id, slot: choice },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const moving = useMutation({
    mutationFn: (overlapOk: boolean) =>
      client.visits.move.mutate({
        id: visit.id,
        sequence: terms?.sequence ?? 0,
        slot: choice,
        overlapOk,
      }),
    onSuccess: ({ visit: moved }) => onMoved(moved),
    onError: async (failure) => {
      const { code, sentence } = describeFailure(failure)
      if (isAboutTime(code)) await onGone(sentence)
      // Whatever has changed meanwhile is shown before it is asked again.
      else await Promise.all([visits.invalidate(), booking.invalidate()])
    },
  })
  return (
    <ConfirmMove
      visit={visit}
      terms={terms}
      refusal={error}
      failure={moving.error}
      isBusy={moving.isPending}
      onMove={(overlapOk) => moving.mutate(overlapOk)}
      onBack={onBack}
    />
  )
}

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

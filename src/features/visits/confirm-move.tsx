import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { SlotTime, Visit } from '#contract/booking.ts'
import { ConfirmMove, type ConfirmStepProps, isTimeError } from './move-question.tsx'

type ConfirmProps = Omit<ConfirmStepProps, 'choice'> & {
  visit: Visit
  choice: SlotTime
  /** Label of the back button, if it does not lead to the other times. */
  back?: string
}

/** Both times and what moving does, before a patient confirms it in their account. */
export function ConfirmStep({ visit, choice, back, onBack, onMoved, onGone }: ConfirmProps) {
  const { client, visits, booking } = trpc.useUtils()
  // Fetched on every visit to this step: the terms shown are those that will apply.
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
        isProposed: terms?.isProposed ?? false,
      }),
    onSuccess: ({ visit: moved }) => onMoved(moved),
    onError: async (failure) => {
      const { code, sentence } = describeFailure(failure)
      if (isTimeError(code)) await onGone(sentence)
      // Shows what has changed before asking again.
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
      {...(back !== undefined && { back })}
    />
  )
}

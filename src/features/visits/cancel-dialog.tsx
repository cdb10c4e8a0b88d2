import { useMutation } from '@tanstack/react-query'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { Visit } from '#contract/booking.ts'
import type { VisitTerms } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'

type CancelDialogProps = { visit: Visit; isOpen: boolean; onClose: () => void }

/** The question before a visit of the account is cancelled. */
export function CancelDialog({ visit, isOpen, onClose }: CancelDialogProps) {
  const { client, visits, booking } = trpc.useUtils()
  // What is shown is what will be done: it is asked for each time the dialog opens.
  const { data: terms, error } = trpc.visits.terms.useQuery(
    { id: visit.id },
    { enabled: isOpen, staleTime: 0, gcTime: 0, retry: false },
  )
  const cancelling = useMutation({
    mutationFn: ({ id, sequence, refund }: VisitTerms) =>
      client.visits.cancel.mutate({ id, sequence, refund }),
    onSuccess: async () => {
      onClose()
      void showToast('Your visit is cancelled.')
      await booking.invalidate()
    },
    // Whatever has changed meanwhile, or an answer that was lost, is shown before it is asked again.
    onError: () => Promise.all([visits.terms.invalidate(), booking.invalidate()]),
  })
  const close = () => {
    cancelling.reset()
    onClose()
  }
  return (
    <CancelQuestion
      visit={visit}
      isOpen={isOpen}
      onClose={close}
      terms={terms}
      refusal={error}
      failure={cancelling.error}
      isBusy={cancelling.isPending}
      onCancel={(shown) => cancelling.mutate(shown)}
    />
  )
}

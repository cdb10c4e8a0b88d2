import { useMutation } from '@tanstack/react-query'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { LinkedVisit, VisitLink, VisitTerms } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'

type LinkCancelDialogProps = {
  link: VisitLink
  visit: LinkedVisit
  isOpen: boolean
  onClose: () => void
}

/** The question before a visit is cancelled by the link of an email. */
export function LinkCancelDialog({ link, visit, isOpen, onClose }: LinkCancelDialogProps) {
  const { client, visits, booking } = trpc.useUtils()
  // What is shown is what will be done: it is asked for each time the dialog opens.
  const { data, error, isFetching } = trpc.visits.byLink.useQuery(link, {
    enabled: isOpen,
    staleTime: 0,
    retry: false,
  })
  const cancelling = useMutation({
    mutationFn: ({ sequence, refund }: VisitTerms) =>
      client.visits.cancelByLink.mutate({ ...link, sequence, refund }),
    onSuccess: async ({ visit: cancelled }) => {
      visits.byLink.setData(link, cancelled)
      onClose()
      void showToast('Your visit is cancelled.')
      await booking.invalidate()
    },
    // Whatever has changed meanwhile, or an answer that was lost, is shown before it is asked again.
    onError: () => visits.byLink.invalidate(),
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
      terms={isFetching ? undefined : (data?.terms ?? undefined)}
      refusal={error}
      failure={cancelling.error}
      isBusy={cancelling.isPending}
      onCancel={(shown) => cancelling.mutate(shown)}
    />
  )
}

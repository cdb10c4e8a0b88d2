import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { SlotTime } from '#contract/booking.ts'
import type { LinkedVisit, VisitLink, VisitTerms } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'
import { ConfirmMove, type ConfirmStepProps, isTimeError, MoveQuestion } from './move-question.tsx'
import type { RenderPicker } from './picker.ts'

type Linked = { link: VisitLink; visit: LinkedVisit }

type ConfirmProps = Linked &
  Omit<ConfirmStepProps, 'choice'> & {
    choice: SlotTime
    /** Label of the back button, if it does not lead to the other times. */
    back?: string
  }

/** Both times and what moving changes, before the holder of the link confirms it. */
export function LinkConfirmStep(props: ConfirmProps) {
  const { link, visit, choice, back, onBack, onMoved, onGone } = props
  const { client, visits } = trpc.useUtils()
  // Fetched on every visit to this step: the terms shown are those that will apply.
  const { data: terms, error } = trpc.visits.moveTermsByLink.useQuery(
    { ...link, slot: choice },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const moving = useMutation({
    mutationFn: (overlapOk: boolean) =>
      client.visits.moveByLink.mutate({
        ...link,
        sequence: terms?.sequence ?? 0,
        slot: choice,
        overlapOk,
        isProposed: terms?.isProposed ?? false,
      }),
    onSuccess: async ({ visit: moved }) => {
      visits.byLink.setData(link, moved)
      await onMoved(moved)
    },
    onError: async (failure) => {
      const { code, sentence } = describeFailure(failure)
      if (isTimeError(code)) await onGone(sentence)
      // Shows what has changed, or the result of a lost response, before asking again.
      else await visits.invalidate()
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

type LinkMoveDialogProps = Linked & {
  renderPicker: RenderPicker
  onClose: () => void
  /** None of the times suits: leads to cancelling. */
  onCancel: () => void
}

/** Moves the visit of an email's link to another free time of its provider. */
export function LinkMoveDialog({ link, visit, ...dialog }: LinkMoveDialogProps) {
  // The page may have been open for a long time.
  const { data, error } = trpc.visits.byLink.useQuery(link, { staleTime: 0, retry: false })
  return (
    <MoveQuestion
      {...dialog}
      visit={visit}
      terms={data?.terms ?? undefined}
      refusal={error}
      renderConfirm={(step) => <LinkConfirmStep {...step} link={link} visit={visit} />}
    />
  )
}

type LinkCancelDialogProps = {
  link: VisitLink
  visit: LinkedVisit
  isOpen: boolean
  onClose: () => void
}

/** The confirmation before cancelling a visit by an email's link. */
export function LinkCancelDialog({ link, visit, isOpen, onClose }: LinkCancelDialogProps) {
  const { client, visits, booking } = trpc.useUtils()
  // Fetched every time the dialog opens: the terms shown are those that will apply.
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
    // Shows what has changed, or the result of a lost response, before asking again.
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

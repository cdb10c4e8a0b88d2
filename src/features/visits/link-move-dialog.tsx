import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { SlotTime } from '#contract/booking.ts'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { ConfirmMove, type ConfirmStepProps, isAboutTime, MoveQuestion } from './move-question.tsx'
import type { RenderPicker } from './picker.ts'

type Linked = { link: VisitLink; visit: LinkedVisit }

type ConfirmProps = Linked &
  Omit<ConfirmStepProps, 'choice'> & {
    choice: SlotTime
    /** What the way back is called, where it is not to the other times. */
    back?: string
  }

/** Both times and what moving does, before whoever has the link confirms it. */
export function LinkConfirmStep(props: ConfirmProps) {
  const { link, visit, choice, back, onBack, onMoved, onGone } = props
  const { client, visits } = trpc.useUtils()
  // What is shown is what will be done: it is asked for each time somebody comes here.
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
      if (isAboutTime(code)) await onGone(sentence)
      // Whatever has changed meanwhile, or an answer that was lost, is shown before it is asked again.
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
  /** None of the times will do: leads to cancelling. */
  onCancel: () => void
}

/** Moves the visit of a link of an email to another free time of its provider. */
export function LinkMoveDialog({ link, visit, ...dialog }: LinkMoveDialogProps) {
  // The page may have been open for long.
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

import { trpc } from '#app/trpc.ts'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'
import type { RenderPicker } from './move-parts.tsx'
import { ConfirmMove, type ConfirmStepProps, MoveQuestion } from './move-question.tsx'

type Linked = { link: VisitLink; visit: LinkedVisit }

/** Confirms the move of a visit by an email's link. */
export function LinkConfirmStep({ link, visit, choice, ...step }: Linked & ConfirmStepProps) {
  const { client, visits } = trpc.useUtils()
  // Fetched on every visit to this step: the terms shown are those that will apply.
  const { data: terms, error } = trpc.visits.moveTermsByLink.useQuery(
    { ...link, slot: choice },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  return (
    <ConfirmMove
      {...step}
      visit={visit}
      terms={terms}
      refusal={error}
      move={async (agreed) => {
        const moved = await client.visits.moveByLink.mutate({ ...link, slot: choice, ...agreed })
        visits.byLink.setData(link, moved.visit)
        return moved.visit
      }}
      refresh={() => visits.invalidate()}
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

/** The confirmation before cancelling a visit by an email's link. */
export function LinkCancelDialog({ link, visit, onClose }: Linked & { onClose: () => void }) {
  const { client, visits } = trpc.useUtils()
  // Fetched anew every time the dialog opens: the terms shown are those that will apply.
  const { data, error, isFetching } = trpc.visits.byLink.useQuery(link, {
    staleTime: 0,
    retry: false,
  })
  return (
    <CancelQuestion
      visit={visit}
      onClose={onClose}
      terms={isFetching ? undefined : (data?.terms ?? undefined)}
      refusal={error}
      cancel={async ({ sequence, refund }) => {
        const cancelled = await client.visits.cancelByLink.mutate({ ...link, sequence, refund })
        visits.byLink.setData(link, cancelled.visit)
      }}
      refresh={() => visits.byLink.invalidate()}
    />
  )
}

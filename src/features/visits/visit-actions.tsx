import { useRef, useState } from 'react'
import { focusHeading } from '#app/lib/browser-hooks.ts'
import { timeUntil } from '#app/lib/dates/server-clock.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { Visit } from '#contract/booking.ts'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { CancelQuestion } from './cancel-question.tsx'
import type { RenderPicker } from './move-parts.tsx'
import { ConfirmMove, ConfirmStep, type ConfirmStepProps, MoveQuestion } from './move-question.tsx'
import { ProposedTimes } from './proposed-times.tsx'

type VisitActionsProps = { visit: Visit; renderPicker: RenderPicker }

/** A patient's actions on an upcoming visit. */
export function VisitActions({ visit, renderPicker }: VisitActionsProps) {
  const { booking } = trpc.useUtils()
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  // Kept when this part of the card is replaced.
  const card = useRef<Element | null>(null)
  const { provider, startsAt, timeZone } = visit
  const close = () => {
    setAct(null)
    // The dialog may have shown that the visit was changed elsewhere.
    void booking.invalidate()
  }
  // A visit that has begun is still listed as upcoming, but can be neither moved nor cancelled.
  if (act === null && timeUntil(startsAt) <= 0) return null
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  const which = (
    <span className="sr-only">
      {' '}
      with {provider.name}, {day}
    </span>
  )
  return (
    <div
      ref={(box) => {
        card.current = box?.closest('article') ?? card.current
      }}
      className="flex w-full flex-wrap gap-3"
    >
      <ProposedTimes
        visit={visit}
        onAnswered={() => focusHeading(card.current?.querySelector('h4'))}
      />
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
          onClose={close}
          onCancel={() => setAct('cancel')}
        />
      )}
      {act === 'cancel' && <CancelDialog visit={visit} onClose={close} />}
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
  // Fetched again each time the dialog opens: the terms shown are those that will apply.
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
  // Fetched again each time the dialog opens: the terms shown are those that will apply.
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

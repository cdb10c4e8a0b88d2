import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { ProposedTimes as Proposed, Visit, VisitFacts } from '#contract/booking.ts'
import { ConfirmStep, type ConfirmStepProps } from './move-question.tsx'

/** Properties of the step that confirms a proposed time, which differs by access: account or email link. */
export type ProposedStep = ConfirmStepProps & { back: string }

type ProposedTimesListProps = {
  visit: Pick<VisitFacts, 'provider' | 'place'>
  /** The provider's note is omitted for an email link. */
  proposed: Pick<Proposed, 'times'> & { note?: string | null }
  keeping: { isPending: boolean; error: unknown; mutate: () => void }
  renderConfirm: (step: ProposedStep) => ReactNode
  /** Called if the visit differs from what the page shows: fetches it again. */
  onChanged: () => Promise<unknown>
}

type MomentProps = { time: { startsAt: string; timeZone: string }; place: string | null }

/** "Tuesday 1 December, 14:30": if too long for one line, it wraps before the time. */
function Moment({ time: { startsAt, timeZone }, place }: MomentProps) {
  return (
    <span>
      <span className="whitespace-nowrap">
        {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')},
      </span>{' '}
      <span className="whitespace-nowrap">{formatTime(startsAt, timeZone)}</span>
      {place !== null && `, ${place}`}
    </span>
  )
}

/** The times proposed by the provider of an upcoming visit: each leads to confirming it. */
export function ProposedTimesList({
  visit,
  proposed,
  keeping,
  renderConfirm,
  onChanged,
}: ProposedTimesListProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [goneMessage, setGoneMessage] = useState<string | null>(null)
  const { note, times } = proposed
  const isElsewhere = times.some(({ place }) => place !== visit.place.name)
  const failure = keeping.error ? describeFailure(keeping.error).sentence : goneMessage
  const close = () => setChosen(null)
  return (
    <section
      aria-label={`${visit.provider.name} has proposed other times`}
      className="@container flex w-full flex-col gap-3 rounded-card border border-accent bg-accent-tint p-4"
    >
      <p className="font-semibold">{visit.provider.name} has proposed other times</p>
      {note && <p className="wrap-anywhere">“{note}”</p>}
      <ul className="grid gap-2 @2xl:grid-cols-3">
        {times.map((time) => (
          <li key={time.startsAt}>
            <Button
              variant="secondary"
              className="tabular h-full w-full px-3! py-2"
              onClick={() => {
                setGoneMessage(null)
                setChosen(time.startsAt)
              }}
            >
              <Moment time={time} place={isElsewhere ? time.place : null} />
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-sm">
        These times aren’t held for you. Your visit stays as it is unless you choose one.
      </p>
      {failure !== null && (
        <Notice kind="danger" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      <Button
        variant="secondary"
        className="sm:self-start"
        isBusy={keeping.isPending}
        onClick={() => keeping.mutate()}
      >
        Keep my time
      </Button>
      {chosen !== null && (
        <Dialog isOpen onClose={close} title="Move this visit">
          {renderConfirm({
            choice: { startsAt: chosen },
            back: 'Back',
            onBack: close,
            onMoved: async ({ startsAt, timeZone }) => {
              close()
              void showToast(`Your visit is moved to ${visitMoment(startsAt, timeZone)}.`)
              await onChanged()
            },
            onGone: async (sentence) => {
              close()
              setGoneMessage(sentence)
              await onChanged()
            },
          })}
        </Dialog>
      )}
    </section>
  )
}

/** Shown once the patient keeps the time. */
export const TIME_KEPT = 'Your visit stays at its time.'

type AccountProposalProps = {
  visit: Visit
  /** Called when the question leaves the page, so that focus moves elsewhere. */
  onAnswered: () => void
}

function AccountProposal(props: AccountProposalProps & { proposed: Proposed }) {
  const { visit, proposed, onAnswered } = props
  const { client, booking, availability, visits } = trpc.useUtils()
  const keeping = useMutation({
    mutationFn: () => client.visits.keepTime.mutate({ id: visit.id, at: proposed.at }),
    onSuccess: async () => {
      void showToast(TIME_KEPT)
      await booking.invalidate()
      onAnswered()
    },
    // Shows what has changed, or the result of a lost response, before asking again.
    onError: () => booking.invalidate(),
  })
  return (
    <ProposedTimesList
      visit={visit}
      proposed={proposed}
      keeping={keeping}
      renderConfirm={({ onMoved, ...step }) => (
        <ConfirmStep
          {...step}
          visit={visit}
          onMoved={async (moved) => {
            await onMoved(moved)
            onAnswered()
          }}
        />
      )}
      onChanged={() =>
        Promise.all([booking.invalidate(), availability.invalidate(), visits.video.invalidate()])
      }
    />
  )
}

/** The times proposed for a visit of the account. Nothing without a proposal. */
export function ProposedTimes(props: AccountProposalProps) {
  const { proposed } = props.visit
  // A new proposal starts with fresh state.
  return proposed === null ? null : (
    <AccountProposal key={proposed.at} {...props} proposed={proposed} />
  )
}

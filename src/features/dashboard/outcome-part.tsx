import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLongDate } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { deadlineText } from '#app/lib/visit-text.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextArea } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { AnswerClaimInput, type Marking, type ProviderClaim } from '#contract/outcomes.ts'
import { MarkButtons, QUICK_MARKS, useInvalidateMarks } from './mark-visit.tsx'
import { Panel } from './panel.tsx'

function lead({ marking, state }: ProviderVisit): string {
  if (state === 'cancelled') return 'This visit was cancelled.'
  switch (marking.outcome) {
    case 'completed':
      return 'The visit took place.'
    case 'no_show':
      return 'The patient didn’t come. We told them; they can contest it for 7 days.'
    case 'not_held':
      return 'The visit didn’t take place, and the patient is refunded.'
    case null:
      return marking.can.length === 0
        ? 'You can mark it from an hour before it starts.'
        : 'If you don’t mark it, it counts as completed 48 hours after it ends.'
  }
}

type OutcomePartProps = { visit: ProviderVisit; name: string }

/** The outcome of a visit, and what its provider can still mark. */
export function OutcomePart({ visit, name }: OutcomePartProps) {
  const utils = trpc.useUtils()
  const invalidateMarks = useInvalidateMarks()
  const [isAsking, setAsking] = useState(false)
  const marked = (marking: Marking) => {
    // Updates the cache, because a refetch would be recorded in the audit log.
    utils.booking.providerVisit.setData({ id: visit.id }, { ...visit, marking })
    void invalidateMarks()
  }
  const { marking } = visit
  return (
    <Panel title="Outcome">
      <div className="flex flex-col gap-4">
        <p>{lead(visit)}</p>
        <MarkButtons
          visitId={visit.id}
          who={name}
          marking={marking}
          among={QUICK_MARKS}
          onMarked={marked}
        />
        {marking.can.includes('not_held') && (
          <div className="no-print">
            <Button variant="quiet" onClick={() => setAsking(true)}>
              It didn’t take place
            </Button>
          </div>
        )}
        {marking.outcome === 'no_show' && <ContestedPart visit={visit} />}
      </div>
      {isAsking && (
        <NotHeldDialog visit={visit} onMarked={marked} onClose={() => setAsking(false)} />
      )}
    </Panel>
  )
}

type NotHeldDialogProps = {
  visit: ProviderVisit
  onMarked: (marking: Marking) => void
  onClose: () => void
}

/** Confirms that a visit did not take place: it is refunded at once, and this cannot be undone. */
function NotHeldDialog({ visit, onMarked, onClose }: NotHeldDialogProps) {
  const { refundable } = visit
  const mark = trpc.outcomes.mark.useMutation({
    onSuccess: (marking) => {
      onMarked(marking)
      onClose()
    },
  })
  const amount = formatExactMoney(refundable)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Did this visit not take place?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={mark.isPending}
            onClick={() =>
              mark.mutate({ id: visit.id, mark: 'not_held', refund: refundable.minor })
            }
          >
            {refundable.minor === 0 ? 'It didn’t take place' : `Refund ${amount}`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Choose this if you couldn’t see the patient.{' '}
          {refundable.minor > 0 && `They get ${amount} back, all that’s left of their payment. `}
          This can’t be undone.
        </p>
        {mark.error && (
          <Notice kind="danger" role="alert" title="Nothing has changed">
            <p>{describeFailure(mark.error).sentence}</p>
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

type Visit = Pick<ProviderVisit, 'id' | 'timeZone'>

const statementText = {
  was_there: 'They say they were there.',
  not_held: 'They say the visit didn’t take place.',
} as const

function AnswerForm({ visit, until }: { visit: Visit; until: string }) {
  const { client, outcomes } = trpc.useUtils()
  const form = useForm({
    blank: { id: visit.id, words: '' },
    schema: AnswerClaimInput,
    send: (input) => client.outcomes.answer.mutate(input),
    onSent: (claim) => {
      outcomes.claimOf.setData({ id: visit.id }, { claim })
      void showToast('Thank you. Our staff will read your answer before they decide.')
    },
  })
  return (
    <FormFrame form={form} label="Your answer" failureTitle="Not sent" className="mt-4">
      <TextArea
        label="Your answer"
        hint={`Once, until ${deadlineText(until, visit.timeZone)}. Our staff read it, and the patient doesn’t.`}
        counter={`${form.values.words.length} of 1,000`}
        {...form.text('words')}
      />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Send answer
        </Button>
      </div>
    </FormFrame>
  )
}

function Contested({ claim, visit }: { claim: ProviderClaim; visit: Visit }) {
  const { says, decideBy, answer, answerUntil } = claim
  return (
    <Notice kind="warn" title="The patient contests this">
      <p>
        {statementText[says]} Our staff decide by {formatLongDate(decideBy, visit.timeZone)}. If it
        was a mistake, correct it here.
      </p>
      {answer !== null && (
        <>
          <p className="mt-3 font-semibold">Your answer</p>
          <p className="wrap-anywhere whitespace-pre-line">
            {answer === '' ? 'What you wrote is no longer kept.' : answer}
          </p>
        </>
      )}
      {answerUntil !== null && <AnswerForm visit={visit} until={answerUntil} />}
    </Notice>
  )
}

/** The patient's objection to a no-show, and the provider's single reply. */
function ContestedPart({ visit }: { visit: Visit }) {
  return (
    <PartBoundary
      failed="We couldn’t check whether the patient contests this"
      // Most patients don’t, so nothing stands in for it.
      pending={null}
    >
      <LoadedClaim visit={visit} />
    </PartBoundary>
  )
}

function LoadedClaim({ visit }: { visit: Visit }) {
  const [{ claim }] = trpc.outcomes.claimOf.useSuspenseQuery({ id: visit.id })
  return claim && <Contested claim={claim} visit={visit} />
}

import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { visitMoment } from '#app/lib/words.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { SlotTime, Visit } from '#contract/booking.ts'
import type { MoveTerms } from '#contract/visits.ts'
import { OldAndNew, StepTitle } from './move-parts.tsx'

/** What moving changes about cancelling, as a date: the one thing that may be worse afterwards. */
function Cancelling({ terms }: { terms: MoveTerms }) {
  const { freeUntil, isFree, to } = terms
  if (!isFree)
    return <p>Free cancellation has ended for this visit, and moving doesn’t bring it back.</p>
  const isWhole = Date.parse(freeUntil) >= Date.parse(to.startsAt)
  return (
    <p>
      Free cancellation until {isWhole ? 'the visit begins' : visitMoment(freeUntil, to.timeZone)}.
    </p>
  )
}

function movesWord({ movesLeft, isProposed }: MoveTerms): string {
  if (isProposed)
    return 'Your provider proposed this time, so it doesn’t count as one of your moves.'
  if (movesLeft <= 1) return 'This is your last move.'
  const left = movesLeft === 2 ? 'once more' : `${movesLeft - 1} more times`
  return `After this, you can move it ${left}.`
}

function Confirming({ terms }: { terms: MoveTerms }) {
  const { from, to, timeZone } = terms
  return (
    <>
      <OldAndNew from={{ ...from, timeZone }} to={to} />
      <div className="flex flex-col gap-1">
        <p>Nothing to pay: your fee stays the same.</p>
        <Cancelling terms={terms} />
        <p>{movesWord(terms)}</p>
      </div>
    </>
  )
}

type ConfirmProps = {
  visit: Visit
  choice: SlotTime
  /** What the way back is called. */
  back?: string
  onBack: () => void
  onMoved: (visit: Visit) => Promise<void>
  /** The time is somebody else’s by now. */
  onGone: (sentence: string) => Promise<void>
}

/** Refusals about the time itself: another one can be had. */
const ABOUT_TIME: ReadonlySet<string> = new Set([
  'slot_taken',
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
])

/** Both times and what moving does, before the patient confirms it. */
export function ConfirmStep(props: ConfirmProps) {
  const { visit, choice, back = 'Choose another time', onBack, onMoved, onGone } = props
  const { client, visits, booking } = trpc.useUtils()
  // What is shown is what will be done: it is asked for each time somebody comes here.
  const { data: terms, error } = trpc.visits.moveTerms.useQuery(
    { id: visit.id, slot: choice },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const moving = useMutation({
    mutationFn: ({ overlapOk }: { overlapOk: boolean }) =>
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
      if (ABOUT_TIME.has(code)) await onGone(sentence)
      // Whatever has changed meanwhile is shown before it is asked again.
      else await Promise.all([visits.invalidate(), booking.invalidate()])
    },
  })
  const failure = error ?? moving.error
  const refusal = failure ? describeFailure(failure) : null
  const overlaps = refusal?.code === 'visits_overlap'
  return (
    <div className="flex flex-col gap-5">
      <StepTitle takesFocus>Move your visit with {visit.provider.name}?</StepTitle>
      {terms === undefined && !error && <Skeleton className="h-36 w-full" />}
      {terms !== undefined && <Confirming terms={terms} />}
      {refusal !== null && (
        <Notice
          kind={overlaps ? 'warn' : 'danger'}
          role="alert"
          title={overlaps ? 'Two appointments at the same time?' : 'Your visit is not moved'}
        >
          <p>{refusal.sentence}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          disabled={terms === undefined || Boolean(error)}
          isBusy={moving.isPending}
          onClick={() => moving.mutate({ overlapOk: overlaps })}
        >
          {overlaps ? 'Move it anyway' : 'Move visit'}
        </Button>
        <Button variant="secondary" onClick={onBack}>
          {back}
        </Button>
      </div>
    </div>
  )
}

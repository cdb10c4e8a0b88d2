import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Moment, SlotChoice } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { errorMessage } from '#contract/base/sentences.ts'
import type { SlotTime, Visit, VisitFacts } from '#contract/booking.ts'
import type { MoveTerms, VisitTerms } from '#contract/visits.ts'
import {
  ContinueButton,
  longMoment,
  type RenderPicker,
  StepTitle,
  TimeComparison,
} from './move-parts.tsx'

function movesText(count: number): string {
  if (count === 1) return 'You can move this visit once more.'
  return `You can move this visit ${count} more times.`
}

type NoSuitableTimeProps = { onClose: () => void; onCancel: () => void }

/** What to do if no time in the list suits. */
function NoSuitableTime({ onClose, onCancel }: NoSuitableTimeProps) {
  return (
    <section aria-label="Can’t find a time that suits you?" className="border-t border-line pt-4">
      <p className="font-semibold">Can’t find a time that suits you?</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onClose}>
          Keep visit
        </Button>
        <Button variant="dangerQuiet" onClick={onCancel}>
          Cancel visit
        </Button>
      </div>
    </section>
  )
}

type Moving = Pick<VisitFacts, 'provider' | 'startsAt' | 'timeZone'>

type ChooseProps = NoSuitableTimeProps & {
  visit: Moving
  terms: VisitTerms
  renderPicker: RenderPicker
  chosen: Partial<SlotChoice>
  onChoose: (chosen: Partial<SlotChoice>) => void
  onContinue: (at: Moment) => void
  /** Why the last chosen time could not be had. */
  goneTitle: string | undefined
  isReturn: boolean
}

function ChooseStep(props: ChooseProps) {
  const { visit, terms, renderPicker, chosen, goneTitle, onChoose, onContinue } = props
  const none = <NoSuitableTime onClose={props.onClose} onCancel={props.onCancel} />
  return (
    <div className="flex flex-col gap-5">
      <div>
        <StepTitle takesFocus={props.isReturn && goneTitle === undefined}>
          <span className="tabular">{longMoment(visit)}</span>&nbsp;– choose a new time
        </StepTitle>
        <p className="text-muted">
          With {visit.provider.name}. {movesText(terms.movesLeft)}
        </p>
      </div>
      {renderPicker({
        providerId: visit.provider.id,
        typeId: props.terms.typeId ?? undefined,
        chosen,
        onChoose: ({ date, time, which }) =>
          onChoose({
            ...(date !== undefined && { date }),
            ...(time !== undefined && { time }),
            which,
          }),
        renderContinue: (_, at) => <ContinueButton at={at} onPress={() => onContinue(at)} />,
        whenNothingIsFree: <p>{visit.provider.name} has no other times at the moment.</p>,
        ...(goneTitle !== undefined && { goneTitle }),
      })}
      {none}
    </div>
  )
}

/** How moving changes the cancellation terms, as a date: the one thing that may get worse. */
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

function movesLeftText({ movesLeft, isProposed }: MoveTerms): string {
  if (isProposed) {
    return 'Your provider proposed this time, so it doesn’t count as one of your moves.'
  }
  if (movesLeft <= 1) return 'This is your last move.'
  const left = movesLeft === 2 ? 'once more' : `${movesLeft - 1} more times`
  return `After this, you can move it ${left}.`
}

function Confirming({ terms }: { terms: MoveTerms }) {
  const { from, to, timeZone } = terms
  return (
    <>
      <TimeComparison from={{ ...from, timeZone }} to={to} />
      <div className="flex flex-col gap-1">
        <p>Nothing to pay: your fee stays the same.</p>
        <Cancelling terms={terms} />
        <p>{movesLeftText(terms)}</p>
      </div>
    </>
  )
}

type ConfirmMoveProps = Omit<ConfirmStepProps, 'choice'> & {
  visit: Moving
  /** The current terms; undefined while they load. */
  terms: MoveTerms | undefined
  /** Why the visit cannot be moved to that time. */
  refusal: unknown
  /** `overlapOk`: the patient accepts that they have another visit at that time. */
  move: (
    agreed: Pick<MoveTerms, 'sequence' | 'isProposed'> & { overlapOk: boolean },
  ) => Promise<MovedTo>
  /** Fetches again what may have changed. */
  refresh: () => Promise<unknown>
}

/** Both times and what moving changes, before it is done. */
export function ConfirmMove(props: ConfirmMoveProps) {
  const { visit, terms, move, refresh, onBack, onMoved, onGone } = props
  const { back = 'Choose another time' } = props
  const moving = useMutation({
    mutationFn: (overlapOk: boolean) =>
      move({
        sequence: terms?.sequence ?? 0,
        isProposed: terms?.isProposed ?? false,
        overlapOk,
      }),
    onSuccess: onMoved,
    onError: async (error) => {
      const { code, sentence } = describeFailure(error)
      if (TIME_ERROR_CODES.has(code)) await onGone(sentence)
      // Shows what has changed, or the result of a lost response, before asking again.
      else await refresh()
    },
  })
  const failure = props.refusal ?? moving.error
  const refusal = failure ? describeFailure(failure) : null
  const overlaps = refusal?.code === 'visits_overlap'
  return (
    <div className="flex flex-col gap-5">
      <StepTitle takesFocus>Move your visit with {visit.provider.name}?</StepTitle>
      {terms === undefined && !props.refusal && <Skeleton className="h-36 w-full" />}
      {terms !== undefined && <Confirming terms={terms} />}
      {refusal !== null && (
        <Notice
          kind={overlaps ? 'warn' : 'danger'}
          role="alert"
          title={overlaps ? 'Two appointments at the same time?' : 'Your visit isn’t moved'}
        >
          <p>{refusal.sentence}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          disabled={terms === undefined || Boolean(props.refusal)}
          isBusy={moving.isPending}
          onClick={() => moving.mutate(overlaps)}
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

/** Error codes about the time itself: another one can be chosen. */
const TIME_ERROR_CODES: ReadonlySet<string> = new Set([
  'slot_taken',
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
])

type MovedTo = Pick<VisitFacts, 'startsAt' | 'timeZone'>

/** Properties of the confirming step, which differs by access: account or email link. */
export type ConfirmStepProps = {
  choice: SlotTime
  onBack: () => void
  /** Label of the back button, if it does not lead to the other times. */
  back?: string
  /** Called after the move with the updated visit. */
  onMoved: (visit: MovedTo) => Promise<void>
  /** Called if the time has been taken. */
  onGone: (sentence: string) => Promise<void>
}

type MoveQuestionProps = {
  visit: Moving
  /** The current terms; undefined while they load. */
  terms: VisitTerms | undefined
  /** Why the visit cannot be moved any more. */
  refusal: unknown
  renderPicker: RenderPicker
  renderConfirm: (step: ConfirmStepProps) => ReactNode
  onClose: () => void
  /** None of the times suits: leads to cancelling. */
  onCancel: () => void
}

/** Moves a visit to another free time of its provider: choose, look at both times, confirm. */
export function MoveQuestion(props: MoveQuestionProps) {
  const { visit, terms, refusal: error, renderPicker, renderConfirm, onClose, onCancel } = props
  const { availability, booking, visits } = trpc.useUtils()
  const [chosen, setChosen] = useState<Partial<SlotChoice>>({})
  const [confirmed, setConfirmed] = useState<Moment | null>(null)
  const [isReturn, setReturn] = useState(false)
  const [goneTitle, setGoneTitle] = useState<string>()
  const back = (title?: string) => {
    setConfirmed(null)
    setReturn(true)
    setGoneTitle(title)
  }
  const isUsedUp = terms?.movesLeft === 0
  const refusal = error
    ? describeFailure(error).sentence
    : isUsedUp
      ? errorMessage('moves_used_up')
      : null
  return (
    <Dialog isOpen onClose={onClose} title="Move this visit">
      {refusal !== null && (
        <div className="flex flex-col gap-5">
          <Notice kind={error ? 'danger' : 'info'} role="status" title="This visit can’t be moved">
            <p>{refusal}</p>
          </Notice>
          {isUsedUp && <NoSuitableTime onClose={onClose} onCancel={onCancel} />}
        </div>
      )}
      {refusal === null && terms === undefined && <Skeleton className="h-96 w-full" />}
      {refusal === null &&
        terms !== undefined &&
        (confirmed !== null ? (
          renderConfirm({
            choice: { startsAt: confirmed.startsAt },
            onBack: () => back(),
            onMoved: async (moved) => {
              onClose()
              void showToast(
                `Your visit is moved to ${visitMoment(moved.startsAt, moved.timeZone)}.`,
              )
              await Promise.all([
                booking.invalidate(),
                availability.invalidate(),
                visits.video.invalidate(),
              ])
            },
            onGone: async (sentence) => {
              await availability.freeTimes.invalidate()
              back(sentence)
            },
          })
        ) : (
          <ChooseStep
            visit={visit}
            terms={terms}
            renderPicker={renderPicker}
            chosen={chosen}
            onChoose={(next) => {
              setGoneTitle(undefined)
              setChosen(next)
            }}
            onContinue={setConfirmed}
            goneTitle={goneTitle}
            isReturn={isReturn}
            onClose={onClose}
            onCancel={onCancel}
          />
        ))}
    </Dialog>
  )
}

/** Confirms the move of a visit of the account. */
export function ConfirmStep({ visit, choice, ...step }: ConfirmStepProps & { visit: Visit }) {
  const { client, visits, booking } = trpc.useUtils()
  // Fetched on every visit to this step: the terms shown are those that will apply.
  const { data: terms, error } = trpc.visits.moveTerms.useQuery(
    { id: visit.id, slot: choice },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  return (
    <ConfirmMove
      {...step}
      visit={visit}
      terms={terms}
      refusal={error}
      move={async (agreed) =>
        (await client.visits.move.mutate({ id: visit.id, slot: choice, ...agreed })).visit
      }
      refresh={() => Promise.all([visits.invalidate(), booking.invalidate()])}
    />
  )
}

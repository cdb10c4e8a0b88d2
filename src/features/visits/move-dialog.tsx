import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { visitMoment } from '#app/lib/words.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Visit } from '#contract/booking.ts'
import { sentenceFor } from '#contract/sentences.ts'
import type { VisitTerms } from '#contract/visits.ts'
import { ConfirmStep } from './confirm-move.tsx'
import { ContinueButton, longMoment, StepTitle } from './move-parts.tsx'
import type { RenderPicker } from './picker.ts'

function movesWord(count: number): string {
  if (count === 1) return 'You can move this visit once more.'
  return `You can move this visit ${count} more times.`
}

type NoneSuitsProps = { onClose: () => void; onCancel: () => void }

/** The end of the list: what else there is. */
function NoneSuits({ onClose, onCancel }: NoneSuitsProps) {
  return (
    <section aria-label="No time suits you?" className="border-t border-line pt-4">
      <p className="font-semibold">No time suits you?</p>
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

type ChooseProps = NoneSuitsProps & {
  visit: Visit
  terms: VisitTerms
  renderPicker: RenderPicker
  chosen: Partial<SlotChoice>
  onChoose: (chosen: Partial<SlotChoice>) => void
  onContinue: () => void
  /** Why the last choice came to nothing. */
  goneTitle: string | undefined
  isReturn: boolean
}

function ChooseStep(props: ChooseProps) {
  const { visit, terms, renderPicker, chosen, goneTitle, onChoose, onContinue } = props
  const none = <NoneSuits onClose={props.onClose} onCancel={props.onCancel} />
  return (
    <div className="flex flex-col gap-5">
      <div>
        <StepTitle takesFocus={props.isReturn && goneTitle === undefined}>
          <span className="tabular">{longMoment(visit)}</span> – choose a new time
        </StepTitle>
        <p className="text-muted">
          With {visit.provider.name}. {movesWord(terms.movesLeft)}
        </p>
      </div>
      {renderPicker({
        providerId: visit.provider.id,
        chosen,
        onChoose: ({ date, time }) =>
          onChoose({ ...(date !== undefined && { date }), ...(time !== undefined && { time }) }),
        renderContinue: (choice, timeZone) => (
          <ContinueButton choice={choice} timeZone={timeZone} onPress={onContinue} />
        ),
        whenNothingIsFree: <p>{visit.provider.name} has no other times at the moment.</p>,
        ...(goneTitle !== undefined && { goneTitle }),
      })}
      {none}
    </div>
  )
}

type MoveDialogProps = {
  visit: Visit
  renderPicker: RenderPicker
  onClose: () => void
  /** None of the times will do: leads to cancelling. */
  onCancel: () => void
}

/** Moves a visit to another free time of its provider: choose, look at both times, confirm. */
export function MoveDialog({ visit, renderPicker, onClose, onCancel }: MoveDialogProps) {
  const { availability, booking } = trpc.useUtils()
  const { data: terms, error } = trpc.visits.terms.useQuery(
    { id: visit.id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  const [chosen, setChosen] = useState<Partial<SlotChoice>>({})
  const [isConfirming, setConfirming] = useState(false)
  const [isReturn, setReturn] = useState(false)
  const [goneTitle, setGoneTitle] = useState<string>()
  const { date, time } = chosen
  const back = (title?: string) => {
    setConfirming(false)
    setReturn(true)
    setGoneTitle(title)
  }
  const isUsedUp = terms?.movesLeft === 0
  const refusal = error
    ? describeFailure(error).sentence
    : isUsedUp
      ? sentenceFor('moves_used_up')
      : null
  return (
    <Dialog isOpen onClose={onClose} title="Move this visit">
      {refusal !== null && (
        <div className="flex flex-col gap-5">
          <Notice kind={error ? 'danger' : 'info'} role="status" title="This visit can’t be moved">
            <p>{refusal}</p>
          </Notice>
          {isUsedUp && <NoneSuits onClose={onClose} onCancel={onCancel} />}
        </div>
      )}
      {refusal === null && terms === undefined && <Skeleton className="h-96 w-full" />}
      {refusal === null &&
        terms !== undefined &&
        (isConfirming && date !== undefined && time !== undefined ? (
          <ConfirmStep
            visit={visit}
            choice={{ date, time }}
            onBack={() => back()}
            onMoved={async (moved) => {
              onClose()
              void showToast(
                `Your visit is moved to ${visitMoment(moved.startsAt, moved.timeZone)}.`,
              )
              await Promise.all([booking.invalidate(), availability.invalidate()])
            }}
            onGone={async (sentence) => {
              await availability.freeTimes.invalidate()
              back(sentence)
            }}
          />
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
            onContinue={() => setConfirming(true)}
            goneTitle={goneTitle}
            isReturn={isReturn}
            onClose={onClose}
            onCancel={onCancel}
          />
        ))}
    </Dialog>
  )
}

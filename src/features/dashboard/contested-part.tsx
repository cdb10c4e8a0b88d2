import { formatLongDate } from '#app/lib/format.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { AnswerClaimInput, type ProviderClaim } from '#contract/outcomes.ts'

type Visit = Pick<ProviderVisit, 'id' | 'timeZone'>

const saysWords = {
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
        hint={`Once, until ${formatLongDate(until, visit.timeZone)}. Our staff read it, and the patient doesn’t.`}
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
        {saysWords[says]} Our staff decide by {formatLongDate(decideBy, visit.timeZone)}. If it was
        a mistake, correct it here.
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

/** What the patient of a missed visit says against that, and the provider's one answer to it. */
export function ContestedPart({ visit }: { visit: Visit }) {
  const { data } = trpc.outcomes.claimOf.useQuery({ id: visit.id })
  if (!data || data.claim === null) return null
  return <Contested claim={data.claim} visit={visit} />
}

import { useState } from 'react'
import { focusPageHeading, useSwappedFocus } from '#app/lib/browser-hooks.ts'
import { timeUntil } from '#app/lib/dates/server-clock.ts'
import { dayOf, formatLongDate, formatTime } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { deadlineText } from '#app/lib/visit-text.ts'
import { StaffListPage } from '#app/parts/dashboard-frame.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards, TextArea } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge, EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { DecideClaimInput, type Outcome, type OutcomeClaim } from '#contract/outcomes.ts'
import { refundText } from './refund-text.ts'

/** `/admin-home/claims`: what patients contest, for staff to decide. */
export function ClaimsPage() {
  return (
    <StaffListPage
      title="Contested visits"
      lead="Patients who contest being marked as absent. Decide within 14 days."
      act="decideClaims"
      pending={<PendingShapes className="grid gap-4" shapes={['h-72', 'h-72']} />}
    >
      <Claims />
    </StaffListPage>
  )
}

function Claims() {
  // Every read is recorded in the audit log, so nothing is refetched automatically.
  const [claims] = trpc.outcomes.claims.useSuspenseQuery(undefined, {
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })
  if (claims.length === 0) {
    return (
      <EmptyState title="Nothing to decide">
        <p>Patients have seven days to contest a visit that was marked as missed.</p>
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-4">
      {claims.map((claim) => (
        <li key={claim.id}>
          <ClaimCard claim={claim} />
        </li>
      ))}
    </ul>
  )
}

const statementText = {
  was_there: 'Says they were there',
  not_held: 'Says it didn’t take place',
} as const

function ClaimCard({ claim }: { claim: OutcomeClaim }) {
  const { startsAt, timeZone, patientName, providerName, words } = claim
  const [isDeciding, setDeciding] = useState(false)
  const decision = useSwappedFocus<HTMLDivElement>(isDeciding)
  const titleId = `${claim.id}-title`
  return (
    <article
      aria-labelledby={titleId}
      className="rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <h2 id={titleId} className="text-lg font-semibold wrap-anywhere">
        {patientName ?? 'Name no longer kept'} with {providerName}
      </h2>
      <p className="tabular text-muted">
        {formatLongDate(startsAt, timeZone)}, {formatTime(startsAt, timeZone)} ·{' '}
        <span className="select-all">{claim.reference}</span>
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge>{statementText[claim.says]}</Badge>
        <span className="text-sm text-muted">
          Contested {formatLongDate(claim.createdAt, timeZone)}, decide by{' '}
          {formatLongDate(claim.decideBy, timeZone)}
        </span>
      </p>
      <p className="mt-3 rounded-field bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
        {words === '' ? 'What they wrote is no longer kept.' : words}
      </p>
      <h3 className="mt-4 font-semibold">The provider’s answer</h3>
      <Answer claim={claim} />
      <Joins claim={claim} />
      <div ref={decision} className="mt-4">
        {isDeciding ? (
          <DecisionForm claim={claim} onClose={() => setDeciding(false)} />
        ) : (
          <Button variant="secondary" onClick={() => setDeciding(true)}>
            Decide<span className="sr-only"> about {claim.reference}</span>
          </Button>
        )}
      </div>
    </article>
  )
}

const joinerLabels = { patient: 'The patient', provider: 'The provider' } as const

/** Who was in the video room, as evidence; nothing for a visit in person. */
function Joins({ claim: { joins, startsAt, timeZone } }: { claim: OutcomeClaim }) {
  if (joins === null) return null
  return (
    <>
      <h3 className="mt-4 font-semibold">Joined the video visit</h3>
      {joins.length === 0 ? (
        <p className="mt-1 text-muted">Nobody joined.</p>
      ) : (
        <ul className="mt-1">
          {joins.map(({ by, at }) => (
            <li key={`${by} ${at}`} className="tabular">
              {joinerLabels[by]} at <time dateTime={at}>{joinMoment(at, startsAt, timeZone)}</time>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The time, with the date if it was not the day of the visit. */
function joinMoment(at: string, startsAt: string, timeZone: string): string {
  const isThatDay = dayOf(at, timeZone) === dayOf(startsAt, timeZone)
  const time = formatTime(at, timeZone)
  return isThatDay ? time : `${formatLongDate(at, timeZone)}, ${time}`
}

/** The provider's reply, or until when they can still reply. */
function Answer({ claim: { answer, answerUntil, timeZone } }: { claim: OutcomeClaim }) {
  if (answer === null) {
    const isOver = timeUntil(answerUntil) <= 0
    return (
      <p className="mt-1 text-muted">
        {isOver
          ? 'They didn’t answer in time.'
          : `None yet. They have until ${deadlineText(answerUntil, timeZone)}.`}
      </p>
    )
  }
  return (
    <p className="mt-1 rounded-field bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
      {answer === '' ? 'What they wrote is no longer kept.' : answer}
    </p>
  )
}

/** Nothing is chosen at first: whoever decides about money makes the choice. */
type DecisionValues = { id: string; outcome: Outcome | ''; reason: string }

function DecisionForm({ claim, onClose }: { claim: OutcomeClaim; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { refundable } = claim
  const blank: DecisionValues = { id: claim.id, outcome: '', reason: '' }
  const form = useForm({
    blank,
    schema: DecideClaimInput,
    toInput: (typed) => ({
      ...typed,
      ...(typed.outcome === 'not_held' && { refund: refundable.minor }),
    }),
    send: (input) => utils.client.outcomes.decide.mutate(input),
    onSent: async () => {
      await Promise.all([utils.outcomes.invalidate(), utils.payments.invalidate()])
      // The claim that had the focus is gone from the list.
      focusPageHeading()
      void showToast('Decided. We’ll email both sides.')
    },
  })
  const choices = [
    { value: 'completed' as const, label: 'The patient was there', detail: 'Nothing is refunded.' },
    {
      value: 'not_held' as const,
      label: 'The visit didn’t take place',
      detail: refundText(refundable),
    },
    { value: 'no_show' as const, label: 'The patient missed it', detail: 'Nothing changes.' },
  ]
  return (
    <FormFrame form={form} label={`Decision about ${claim.reference}`} failureTitle="Not decided">
      <RadioCards
        id={`${form.id}-outcome`}
        name={`${form.id}-outcome`}
        legend="What happened?"
        error={form.errors['outcome']}
        choices={choices}
        value={form.values.outcome}
        onChange={(outcome) => form.set('outcome', outcome)}
      />
      <TextArea label="Why" hint="Only staff can see this." {...form.text('reason')} />
      <FormButtons send="Decide" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

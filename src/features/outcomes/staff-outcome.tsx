import { useState } from 'react'
import { useSwappedFocus } from '#app/lib/browser-hooks.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { RoleGuard } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards, TextArea } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { visitLife } from '#contract/life-cycles/visit.ts'
import { CorrectOutcomeInput, type Outcome, type StaffMarking } from '#contract/outcomes.ts'
import type { StaffPayment } from '#contract/payments.ts'
import { refundText } from './refund-text.ts'

const outcomeLabels: Record<Outcome, string> = {
  completed: 'The visit took place',
  no_show: 'The patient missed it',
  not_held: 'The visit didn’t take place',
}

type FormProps = { id: string; marking: StaffMarking; onClose: () => void }

function CorrectForm({ id, marking, onClose }: FormProps) {
  const { client, payments, outcomes } = trpc.useUtils()
  const { can, refundable } = marking
  // Nothing is chosen at first: whoever decides about money makes the choice.
  const blank: { id: string; outcome: Outcome | ''; reason: string } = {
    id,
    outcome: '',
    reason: '',
  }
  const details: Record<Outcome, string> = {
    completed: 'Nothing is refunded.',
    no_show: 'We’ll email the patient, who can contest it for 7 days.',
    not_held: `${refundText(refundable)} This can’t be undone.`,
  }
  const form = useForm({
    blank,
    schema: CorrectOutcomeInput,
    toInput: (typed) => ({
      ...typed,
      ...(typed.outcome === 'not_held' && { refund: refundable.minor }),
    }),
    send: (input) => client.outcomes.correct.mutate(input),
    onSent: async () => {
      onClose()
      void showToast('The outcome is corrected.')
      await Promise.all([payments.invalidate(), outcomes.invalidate()])
    },
  })
  return (
    <FormFrame form={form} label="Correct the outcome" failureTitle="Not corrected">
      <RadioCards
        id={`${form.id}-outcome`}
        name={`${form.id}-outcome`}
        legend="What happened?"
        error={form.errors['outcome']}
        choices={can.map((value) => ({
          value,
          label: outcomeLabels[value],
          detail: details[value],
        }))}
        value={form.values.outcome}
        onChange={(outcome) => form.set('outcome', outcome)}
      />
      <TextArea
        label="Reason"
        hint="Only staff can see this."
        rows={3}
        className="min-h-24"
        {...form.text('reason')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy}>
          Correct outcome
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </FormFrame>
  )
}

function Correcting({ id, onClose }: { id: string; onClose: () => void }) {
  const [marking] = trpc.outcomes.staffMarking.useSuspenseQuery(
    { id },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  if (marking.can.length === 0) {
    return (
      <Notice title="Nothing to correct">
        <p>
          A refunded visit can’t be corrected, and a contested one is decided in Contested visits.
        </p>
      </Notice>
    )
  }
  return <CorrectForm id={id} marking={marking} onClose={onClose} />
}

/** Corrects the outcome of a visit that has begun, on its payment page. */
export function StaffOutcomeActions({ visit }: { visit: StaffPayment }) {
  const [isOpen, setOpen] = useState(false)
  const section = useSwappedFocus<HTMLElement>(isOpen)
  if (visit.isComing || !visitLife.may('completed', visit.state, 'staff')) return null
  return (
    <section ref={section} tabIndex={-1} aria-label="Outcome" className="outline-none">
      {isOpen ? (
        <PartBoundary
          failed="The outcome didn’t load"
          pending={<PendingShapes shapes={['h-48']} />}
        >
          <Correcting id={visit.id} onClose={() => setOpen(false)} />
        </PartBoundary>
      ) : (
        <RoleGuard act="decideClaims">
          {(disabledProps) => (
            <Button {...disabledProps} variant="secondary" onClick={() => setOpen(true)}>
              Correct outcome
            </Button>
          )}
        </RoleGuard>
      )}
    </section>
  )
}

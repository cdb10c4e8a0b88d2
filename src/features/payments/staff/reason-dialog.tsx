import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { useForm } from '#app/lib/use-form.ts'
import { StepUpForm, type StepUpState, useStepUpState } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { StaffReason } from '#contract/payments-staff.ts'

const Schema = z.object({ reason: StaffReason })

type ReasonDialogProps = {
  title: string
  /** The effect of the action, in a sentence. */
  consequence: string
  /** Label of the confirming button. */
  action: string
  isDangerous?: boolean
  failureTitle: string
  send: (reason: string) => Promise<unknown>
  onDone: () => Promise<void>
  onClose: () => void
}

/** Asks staff for the reason of a decision, and for step-up authentication where the server requires it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, consequence, action, isDangerous = false, failureTitle, send, onDone } = props
  const proof = useStepUpState()
  const form = useForm({
    blank: { reason: '' },
    schema: Schema,
    send: ({ reason }) => proof.prove(() => send(reason)),
    onSent: onDone,
  })
  return (
    <Dialog
      isOpen
      title={proof.isAsking ? 'Confirm it’s you' : title}
      onClose={proof.isAsking ? () => proof.end(false) : props.onClose}
    >
      <InlineStepUp proof={proof} action={action}>
        <FormFrame form={form} label={title} failureTitle={failureTitle}>
          <p>{consequence}</p>
          <TextArea
            label="Reason"
            hint="Kept for staff; nobody else sees it."
            rows={3}
            className="min-h-24"
            {...form.text('reason')}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isBusy={form.isBusy}>
              {action}
            </Button>
            <Button variant="quiet" onClick={props.onClose}>
              Cancel
            </Button>
          </div>
        </FormFrame>
      </InlineStepUp>
    </Dialog>
  )
}

type InlineStepUpProps = { proof: StepUpState; action: string; children: ReactNode }

/** Step-up authentication in place of a form, which keeps its state. */
export function InlineStepUp({ proof, action, children }: InlineStepUpProps) {
  const { isAsking, end } = proof
  return (
    <>
      <div hidden={isAsking}>{children}</div>
      {isAsking && (
        <StepUpForm
          takesFocus
          action={action}
          onProved={() => end(true)}
          aside={
            <Button variant="quiet" onClick={() => end(false)}>
              Back
            </Button>
          }
        />
      )}
    </>
  )
}

import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { type ProofStep, StepUpForm } from './step-up.tsx'

type ProofDialogProps = {
  title: string
  proof: ProofStep
  onClose: () => void
  /** The form or question; it stays as it is while the proof is asked for. */
  children: ReactNode
  /** On the button of the proof. */
  action?: string
  /** What follows the proof cannot be undone. */
  isDangerous?: boolean
}

/**
 * The frame of an act that needs a proof of who it is, which comes in the place of the form and not
 * over it.
 */
export function ProofDialog(props: ProofDialogProps) {
  const { title, proof, onClose, children } = props
  const { action = 'Confirm and save', isDangerous = false } = props
  const { isAsking, end } = proof
  return (
    <Dialog
      isOpen
      onClose={isAsking ? () => end(false) : onClose}
      title={isAsking ? 'Confirm that it is you' : title}
    >
      <div hidden={isAsking}>{children}</div>
      {isAsking && (
        <StepUpForm
          takesFocus
          action={action}
          isDangerous={isDangerous}
          onProved={() => end(true)}
          aside={
            <Button variant="quiet" onClick={() => end(false)}>
              Back
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { type ProofStep, StepUpForm } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type DetailsDialogProps = {
  title: string
  proof: ProofStep
  onClose: () => void
  /** The form; it stays as it is while the proof is asked for. */
  children: ReactNode
}

/** The frame of the bank details. A proof of who it is comes in the place of the form, not over it. */
export function DetailsDialog({ title, proof, onClose, children }: DetailsDialogProps) {
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
          action="Confirm and save"
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

/** The foot of the form. */
export function DetailsActions({ isBusy, onClose }: { isBusy: boolean; onClose: () => void }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" isBusy={isBusy}>
        Save account
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  )
}

import type { ReactNode } from 'react'
import { type ProofStep, StepUpForm } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'

type ProofInPlaceProps = { proof: ProofStep; action: string; children: ReactNode }

/** A proof of who it is in the place of a form, which stays as it is meanwhile. */
export function ProofInPlace({ proof, action, children }: ProofInPlaceProps) {
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

import { useState } from 'react'
import { StepUpForm, useProofStep } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { CreateAccessTokenAnswer } from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { TokenForm } from './token-form.tsx'
import { TokenSecret } from './token-secret.tsx'
import { useAccessTokensChanged } from './use-access-tokens.ts'

/** Makes a token: what it is to be, a proof of who asks where one is needed, and the token once. */
export function TokenDialog({ kind, onClose }: { kind: Me['kind']; onClose: () => void }) {
  const proof = useProofStep()
  const changed = useAccessTokensChanged()
  const [made, setMade] = useState<CreateAccessTokenAnswer | null>(null)
  if (made !== null) {
    return (
      <Dialog isOpen onClose={onClose} title="Keep your access token">
        <TokenSecret name={made.token.name} secret={made.secret} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      isOpen
      onClose={proof.isAsking ? () => proof.end(false) : onClose}
      title={proof.isAsking ? 'Confirm that it is you' : 'New access token'}
    >
      <div hidden={proof.isAsking}>
        <TokenForm
          kind={kind}
          prove={proof.prove}
          onMade={async (answer) => {
            setMade(answer)
            await changed()
          }}
          onClose={onClose}
        />
      </div>
      {proof.isAsking && (
        <StepUpForm
          takesFocus
          action="Confirm and create"
          onProved={() => proof.end(true)}
          aside={
            <Button variant="quiet" onClick={() => proof.end(false)}>
              Back
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

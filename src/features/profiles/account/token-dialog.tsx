import { useEffect, useRef, useState } from 'react'
import { StepUpForm, useProofStep } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { CreateAccessTokenAnswer } from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { TokenForm } from './token-form.tsx'
import { useAccessTokensChanged } from './token-words.ts'

/** Makes a token: what it is to be, a proof of who asks where one is needed, and the token once. */
export function TokenDialog({ kind, onClose }: { kind: Me['kind']; onClose: () => void }) {
  const proof = useProofStep()
  const changed = useAccessTokensChanged()
  const [made, setMade] = useState<CreateAccessTokenAnswer | null>(null)
  if (made !== null) {
    return (
      <Dialog isOpen onClose={onClose} title="Save your access token">
        <TokenSecret name={made.token.name} secret={made.secret} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      isOpen
      onClose={proof.isAsking ? () => proof.end(false) : onClose}
      title={proof.isAsking ? 'Confirm it’s you' : 'New access token'}
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

type TokenSecretProps = { name: string; secret: string; onDone: () => void }

/** The token itself, shown this once. */
function TokenSecret({ name, secret, onDone }: TokenSecretProps) {
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser blocked copying. Select the token and copy it yourself.')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        This is the token for <strong className="wrap-anywhere">{name}</strong>.
      </p>
      <p
        aria-label="Access token"
        className="tabular rounded-card border border-line bg-sunken p-4 font-semibold wrap-anywhere select-all"
      >
        {secret}
      </p>
      <Notice kind="warn" title="We’ll only show it once">
        <p>
          Anyone who has it can use it, so store it with your script’s secrets, not in the script
          itself.
        </p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="secondary" onClick={onDone}>
          I’ve saved it
        </Button>
      </div>
    </div>
  )
}

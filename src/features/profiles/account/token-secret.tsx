import { useEffect, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'

type TokenSecretProps = { name: string; secret: string; onDone: () => void }

/** The token itself, shown this once. */
export function TokenSecret({ name, secret, onDone }: TokenSecretProps) {
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser did not allow copying. Select the token and copy it by hand.')
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
      <Notice kind="warn" title="It is shown only now">
        <p>
          Whoever has it can do what it may, so keep it where your script reads its secrets, and not
          in the script itself.
        </p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="secondary" onClick={onDone}>
          I have kept it
        </Button>
      </div>
    </div>
  )
}

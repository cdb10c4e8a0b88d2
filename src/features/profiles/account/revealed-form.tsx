import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { StateRow } from './account-section.tsx'

type RevealedFormProps = {
  /** How it stands now. */
  now: ReactNode
  /** What the button says that shows the form. */
  action: string
  /** The form; `close` puts it away again. */
  children: (close: () => void) => ReactNode
}

/**
 * A form that is seldom needed waits behind a button: nothing on the page asks for a password before
 * somebody wants to change it. Focus goes into the form, and back to the button.
 */
export function RevealedForm({ now, action, children }: RevealedFormProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState<boolean | null>(null)
  useEffect(() => {
    // Not on arrival, when nothing has been pressed yet.
    if (isOpen === null) return
    box.current?.querySelector<HTMLElement>(isOpen ? 'input:not([hidden])' : 'button')?.focus()
  }, [isOpen])
  return (
    <div ref={box}>
      {isOpen ? (
        children(() => setOpen(false))
      ) : (
        <StateRow
          action={
            <Button variant="secondary" onClick={() => setOpen(true)}>
              {action}
            </Button>
          }
        >
          {now}
        </StateRow>
      )}
    </div>
  )
}

/** Tells password managers whose password is typed below; nobody sees it. */
export function ForWhom({ email }: { email: string }) {
  return <input type="email" hidden readOnly autoComplete="username" value={email} />
}

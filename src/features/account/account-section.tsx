import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSwappedFocus } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FailureNotice } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'

type AccountSectionProps = { id: string; title: string; lead?: ReactNode; children: ReactNode }

/** A section of the account under its heading; `id` is the target of links to it. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-t border-line py-8 first:border-0 first:pt-0 only:py-0 sm:py-10 sm:only:py-0"
    >
      <h2 id={`${id}-title`} className="text-xl font-semibold">
        {title}
      </h2>
      {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
      <div className="mt-5 min-w-0">{children}</div>
    </section>
  )
}

/** A current state, with the one button that changes it at the end; below it on phones. */
export function StateRow({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between sm:gap-8">
      <div className="min-w-0">{children}</div>
      <div className="flex shrink-0 flex-wrap gap-3">{action}</div>
    </div>
  )
}

type RevealedFormProps = {
  /** The current state. */
  now: ReactNode
  /** Label of the button that opens the form. */
  action: string
  /** The form; `close` puts it away again. */
  children: (close: () => void) => ReactNode
}

/**
 * A seldom used form behind a button: the page asks for no password until someone wants to change it. Focus
 * moves into the form, and back to the button.
 */
export function RevealedForm({ now, action, children }: RevealedFormProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useSwappedFocus<HTMLDivElement>(isOpen)
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

/** Tells password managers which account the password belongs to; not visible. */
export function UsernameHint({ email }: { email: string }) {
  return <input type="email" hidden readOnly autoComplete="username" value={email} />
}

/** Shows why something failed; nothing without an error. */
export function ErrorNotice({ error, title }: { error: unknown; title: string }) {
  if (!error) return null
  return <FailureNotice title={title} failure={describeFailure(error)} />
}

type ShownOnceProps = {
  /** Name of the secret for screen readers. */
  label: string
  secret: string
  /** What it is, or what to do with it. */
  lead: ReactNode
  warning: string
  /** "link": what to select where the browser blocks copying. */
  noun: string
  copy: string
  done: string
  onDone: () => void
}

/** A new secret, which the server shows only this once. */
export function ShownOnce(props: ShownOnceProps) {
  const { label, secret, lead, warning, noun, copy, done, onDone } = props
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const copyToClipboard = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      await showToast('Copied.')
    } catch {
      await showToast(`Your browser blocked copying. Select the ${noun} and copy it yourself.`)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        {lead}
      </p>
      <p
        aria-label={label}
        className="tabular rounded-card border border-line bg-sunken p-4 font-semibold wrap-anywhere select-all"
      >
        {secret}
      </p>
      <Notice kind="warn" title="We’ll only show it once">
        <p>{warning}</p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copyToClipboard()}>{copy}</Button>
        <Button variant="secondary" onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  )
}

type RevokeDialogProps = {
  title: string
  action?: string
  /** What revoking it means. */
  children: ReactNode
  revoking: { isPending: boolean; error: unknown }
  failureTitle: string
  onRevoke: () => void
  onClose: () => void
}

/** The confirmation before a secret stops working. */
export function RevokeDialog(props: RevokeDialogProps) {
  const { title, action = 'Revoke', children, revoking, failureTitle, onRevoke, onClose } = props
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="danger" isBusy={revoking.isPending} onClick={onRevoke}>
            {action}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>{children}</p>
        <ErrorNotice error={revoking.error} title={failureTitle} />
      </div>
    </Dialog>
  )
}

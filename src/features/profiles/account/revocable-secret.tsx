import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { FailureNotice } from './account-section.tsx'

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
        <FailureNotice error={revoking.error} title={failureTitle} />
      </div>
    </Dialog>
  )
}

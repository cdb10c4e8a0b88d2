import { type ReactNode, Suspense } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { late } from '#app/lib/late-code.ts'

const DialogPopup = late(async () => (await import('./dialog-popup.tsx')).DialogPopup, true)

export type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** The actions, at the bottom and always in view. */
  footer?: ReactNode
  /** While work is in progress that closing would not stop: nothing closes it. */
  isBusy?: boolean
}

/** While the code of an opened dialog waits for the network. */
function Waiting() {
  if (useOnline()) return null
  return (
    <p
      role="alert"
      className="fixed inset-x-4 bottom-4 z-50 mx-auto w-fit rounded-card border border-warn bg-surface px-4 py-3 shadow-float"
    >
      You’re offline. This opens by itself once you’re back.
    </p>
  )
}

/** A modal dialog in the middle of the page. Escape, the backdrop and Close all close it. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null
  return (
    <Suspense fallback={<Waiting />}>
      <DialogPopup {...props} shape="dialog" />
    </Suspense>
  )
}

/** A modal panel: the whole screen on phones, a column at the right from 768 pixels. */
export function Sheet(props: DialogProps) {
  if (!props.isOpen) return null
  return (
    <Suspense fallback={<Waiting />}>
      <DialogPopup {...props} shape="sheet" />
    </Suspense>
  )
}

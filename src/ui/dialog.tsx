import { lazy, type ReactNode, Suspense } from 'react'

const loadPopup = () => import('./dialog-popup.tsx')
const DialogPopup = lazy(async () => ({ default: (await loadPopup()).DialogPopup }))

export type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** The actions, at the bottom and always in view. */
  footer?: ReactNode
}

/** Fetches the dialog's code ahead of need, so that it also opens after the network is cut. */
export function warmDialog(): void {
  // A file of code that could not be fetched is not asked for again: better not to ask in vain.
  if (!navigator.onLine) return
  loadPopup().catch(() => {
    // Nobody waits for it yet; opening a dialog says what is wrong.
  })
}

/** A modal dialog in the middle of the page. Escape, the backdrop and Close all close it. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogPopup {...props} shape="dialog" />
    </Suspense>
  )
}

/** A modal panel: the whole screen on phones, a column at the right from 768 pixels. */
export function Sheet(props: DialogProps) {
  if (!props.isOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogPopup {...props} shape="sheet" />
    </Suspense>
  )
}

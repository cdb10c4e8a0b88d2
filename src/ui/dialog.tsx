import { lazy, type ReactNode, Suspense } from 'react'

const DialogPopup = lazy(async () => ({
  default: (await import('./dialog-popup.tsx')).DialogPopup,
}))

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

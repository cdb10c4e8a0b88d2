import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import type { DialogProps } from './dialog.tsx'

const shapes = {
  dialog:
    'top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-form -translate-x-1/2 -translate-y-1/2 ' +
    'rounded-card border data-starting-style:scale-98',
  sheet: 'inset-y-0 right-0 h-dvh w-full md:w-md md:border-l data-starting-style:translate-x-8',
}

const FIELDS = 'input:not([type="hidden"], [readonly]), select, textarea'
const CONTROLS = `${FIELDS}, button, a[href]`

/** How long after closing the control that opened the dialog may still go, in milliseconds: its list is fetched again. */
const SETTLE_MS = 2_000

/**
 * On closing, the library gives focus back to the control that opened the dialog. If that was removed along with its
 * row, at once or when the list has been fetched again, the heading above it takes the focus, unless the user has
 * moved it meanwhile.
 */
function useFocusWithoutOpener(): void {
  const [opener] = useState(() => document.activeElement)
  const [section] = useState(() => opener?.closest('section') ?? null)
  useEffect(() => {
    const follow = (until: number) => {
      const { activeElement, body } = document
      const heading = section?.querySelector<HTMLElement>('h2, h3')
      if (!heading || opener === null) return
      if (activeElement !== body && activeElement !== opener && activeElement !== heading) return
      if (activeElement === body && !opener.isConnected) {
        heading.tabIndex = -1
        heading.focus()
      }
      if (performance.now() < until) requestAnimationFrame(() => follow(until))
    }
    // After the row is gone and the library has moved the focus.
    return () => void requestAnimationFrame(() => follow(performance.now() + SETTLE_MS))
  }, [opener, section])
}

/** The popup itself, in its own file so that its code is loaded on demand. */
export function DialogPopup(props: DialogProps & { shape: keyof typeof shapes }) {
  const { isOpen, onClose, title, children, footer, shape, isBusy = false } = props
  const content = useRef<HTMLDivElement>(null)
  useFocusWithoutOpener()
  // Opening a form that begins with a field focuses that field. Not on touch, where the keyboard would cover
  // the form, nor for a field further down, which would scroll away what precedes it.
  const firstField = (openedBy: string) => {
    const first = content.current?.querySelector<HTMLElement>(CONTROLS)
    return openedBy !== 'touch' && first?.matches(FIELDS) ? first : true
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[#0b110f]/55 transition-opacity duration-150 data-starting-style:opacity-0" />
        <Base.Popup
          data-modal={shape}
          initialFocus={firstField}
          className={cx(
            'fixed z-50 flex flex-col overflow-hidden border-line bg-surface text-ink shadow-float',
            'transition duration-150 ease-calm data-starting-style:opacity-0',
            shapes[shape],
          )}
        >
          <div className="flex flex-wrap items-start justify-between gap-x-4 border-b border-line py-3 pr-3 pl-4 sm:pl-6">
            <Base.Title className="min-w-0 flex-1 basis-40 py-2 text-xl font-semibold">
              {title}
            </Base.Title>
            <Base.Close
              aria-disabled={isBusy || undefined}
              className="inline-flex min-h-11 items-center gap-1.5 rounded-field px-3 font-semibold text-brand-deep hover:bg-tint aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
            >
              <X aria-hidden="true" className="size-5" />
              Close
            </Base.Close>
          </div>
          <div
            ref={content}
            // All controls are in the footer: only with focus can the content be scrolled by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
            tabIndex={footer ? 0 : undefined}
            // Its ring inside: the popup would cut off a ring around it.
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4 -outline-offset-3 sm:px-6"
          >
            {children}
          </div>
          {footer && (
            <div className="flex flex-wrap gap-3 border-t border-line bg-surface p-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-6">
              {footer}
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { createElement, useEffect } from 'react'
import { cx } from '#app/lib/cx.ts'

/** The one list of toasts; `showToast` adds to it. */
export const toasts = Toast.createToastManager()

function ToastList() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="mt-2 rounded-card border border-line bg-surface shadow-float transition duration-150 ease-calm data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center justify-between gap-3 py-2 pr-2 pl-4">
        <Toast.Title className="font-medium" />
        <Toast.Close
          aria-label="Close message"
          // Otherwise hidden from screen readers until the list has focus, yet reachable by keyboard.
          aria-hidden={false}
          className="inline-flex size-11 items-center justify-center rounded-field text-muted hover:bg-tint hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** The corner of the screen that shows toasts, in its own file to be loaded on demand. */
export function ToastHost({ onStanding }: { onStanding: () => void }) {
  // Runs after the provider's own effect, which starts to listen.
  useEffect(onStanding, [onStanding])
  const corner = (
    <Toast.Portal>
      <Toast.Viewport
        // An open dialog has its buttons at the bottom, and a sheet its Close at the top as well.
        className={cx(
          'no-print fixed right-4 bottom-4 z-50 w-[calc(100vw-2rem)] sm:w-96',
          'in-[:root:has([data-modal])]:top-2 in-[:root:has([data-modal])]:bottom-auto',
          'in-[:root:has([data-modal=sheet])]:top-17',
        )}
      >
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  )
  return createElement(Toast.Provider, { toastManager: toasts }, corner)
}

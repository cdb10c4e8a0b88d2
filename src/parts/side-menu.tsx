import { useLocation } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'

type SideMenuProps = {
  /** Title of the drawer and its button: "Staff menu". */
  title: string
  /** Media query from which the menu is always open. */
  wide: string
  /** Appearance of the column. */
  className?: string
  /** The menu; call `close` when something is chosen. */
  children: (state: { isDrawer: boolean; close: () => void }) => ReactNode
}

/** The menu beside a page: a column that stays in view, or on narrow screens a drawer behind a button. */
export function SideMenu({ title, wide, className, children: renderMenu }: SideMenuProps) {
  const isWide = useMedia(wide)
  const pathname = useLocation({ select: (location) => location.pathname })
  // The drawer is tied to the page it was opened on: any navigation closes it.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const isOpen = openOn === pathname && !isWide
  const menu = renderMenu({ isDrawer: !isWide, close: () => setOpenOn(null) })
  return (
    <div
      className={cx(
        'no-print',
        !isWide && 'sticky top-0 z-20 -mx-4 border-b border-line bg-paper sm:-mx-6',
      )}
    >
      {isWide ? (
        <div className={cx('sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto', className)}>
          {menu}
        </div>
      ) : (
        <div className="px-2 py-1.5 sm:px-4">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpenOn(pathname)}
            className={cx(buttonClass('quiet'), 'px-2')}
          >
            <Menu aria-hidden="true" className="size-5" />
            {title}
          </button>
        </div>
      )}
      <Sheet isOpen={isOpen} onClose={() => setOpenOn(null)} title={title}>
        {menu}
      </Sheet>
    </div>
  )
}

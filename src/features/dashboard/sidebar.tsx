import { Menu } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useMedia } from '#app/lib/use-media.ts'
import { LogoutDialog } from '#app/parts/logout-dialog.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Sheet } from '#app/ui/dialog.tsx'
import { SideMenu } from './side-menu.tsx'

/** The width from which the sidebar stands open (specification: 768 pixels). */
const WIDE = '(min-width: 48rem)'

/** The provider's menu: a column that stays in view, or below 768 pixels a drawer behind a button. */
export function Sidebar() {
  const isWide = useMedia(WIDE)
  const [isOpen, setOpen] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const menu = (
    <SideMenu
      onChoose={() => setOpen(false)}
      onLogout={() => {
        setOpen(false)
        setAsking(true)
      }}
    />
  )
  return (
    <div className="no-print max-md:sticky max-md:top-0 max-md:z-20 max-md:-mx-4 max-md:border-b max-md:border-line max-md:bg-paper sm:max-md:-mx-6">
      {isWide ? (
        <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto rounded-card border border-line bg-surface p-2">
          {menu}
        </div>
      ) : (
        <div className="px-2 py-1.5 sm:px-4">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(true)}
            className={cx(buttonClass('quiet'), 'px-2')}
          >
            <Menu aria-hidden="true" strokeWidth={1.75} className="size-5" />
            Provider menu
          </button>
        </div>
      )}
      <Sheet isOpen={isOpen && !isWide} onClose={() => setOpen(false)} title="Provider menu">
        {menu}
      </Sheet>
      <LogoutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

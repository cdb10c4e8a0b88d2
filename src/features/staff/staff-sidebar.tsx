import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useMedia } from '#app/lib/use-media.ts'
import { ThemeSwitch } from '#app/parts/theme-switch.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Badge } from '#app/ui/badge.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Sheet } from '#app/ui/dialog.tsx'
import { StaffMenu } from './staff-menu.tsx'

/** Tables need their width sooner than the provider's pages do. */
const WIDE = '(min-width: 64rem)'

/** Who one is, where the header of phones has no room to say so. */
function Person() {
  const { data: me } = useMe()
  if (!me?.role) return null
  return (
    <p className="mb-4 flex flex-wrap items-center gap-2 border-b border-line pb-4 md:hidden">
      <Link to="/userProfile" className="min-w-0 py-2 wrap-anywhere text-muted">
        {me.email}
      </Link>
      <Badge tone="brand">{me.role}</Badge>
    </p>
  )
}

/** The staff's menu: a column that stays in view, or below 1024 pixels a drawer behind a button. */
export function StaffSidebar() {
  const isWide = useMedia(WIDE)
  const [isOpen, setOpen] = useState(false)
  const menu = <StaffMenu onChoose={() => setOpen(false)} />
  return (
    <div className="no-print max-lg:sticky max-lg:top-0 max-lg:z-20 max-lg:-mx-4 max-lg:border-b max-lg:border-line max-lg:bg-paper sm:max-lg:-mx-6">
      {isWide ? (
        <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto">{menu}</div>
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
            Staff menu
          </button>
        </div>
      )}
      <Sheet isOpen={isOpen && !isWide} onClose={() => setOpen(false)} title="Staff menu">
        <Person />
        {menu}
        <div className="mt-4 border-t border-line pt-4 sm:hidden">
          <ThemeSwitch />
        </div>
      </Sheet>
    </div>
  )
}

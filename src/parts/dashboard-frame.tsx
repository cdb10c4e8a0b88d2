import { useLocation } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import type { StaffAction } from '#contract/base/staff.ts'
import { DataBoundary } from './data-boundary.tsx'
import { RoleReason, useStaffRefusal } from './role-guard.tsx'

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

type DashboardHeadingProps = { title: string; children?: ReactNode }

/** The title of a dashboard page, in the browser tab and as its heading; `children` follow below. */
export function DashboardHeading({ title, children }: DashboardHeadingProps) {
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-2xl font-semibold md:text-3xl">{title}</h1>
      {children}
    </>
  )
}

type StaffHeadingProps = {
  title: string
  /** Title of the browser tab, where the heading alone would not say enough. */
  tab?: string
  /** What the page is for, in a line. */
  lead?: ReactNode
  /** At the right of the heading on wide screens, below it on narrow ones. */
  aside?: ReactNode
}

/** The title of a staff page, in the browser tab and as its heading. */
export function StaffHeading({ title, tab = title, lead, aside }: StaffHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <PageTitle title={tab} />
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold md:text-3xl">{title}</h1>
        {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
      </div>
      {aside}
    </div>
  )
}

type StaffListPageProps = {
  title: string
  lead: string
  /** What the user's role must allow. */
  act: StaffAction
  pending: ReactNode
  /** The list; reads with `useSuspenseQuery`. */
  children: ReactNode
}

/** A list for some roles of staff: its heading, and the list or why there is none. */
export function StaffListPage({ title, lead, act, pending, children }: StaffListPageProps) {
  const isRefused = useStaffRefusal(act) !== null
  return (
    <>
      <StaffHeading title={title} lead={lead} />
      <div className="mt-6">
        {isRefused ? (
          <RoleReason act={act} />
        ) : (
          <DataBoundary failed="The list didn’t load" pending={pending}>
            {children}
          </DataBoundary>
        )}
      </div>
    </>
  )
}

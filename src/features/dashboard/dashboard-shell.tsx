import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import {
  CalendarClock,
  ChevronDown,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  UserRound,
  WalletCards,
} from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { focusPageHeading } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { SideMenu } from '#app/parts/dashboard-frame.tsx'
import { UserBoundary } from '#app/parts/data-boundary.tsx'
import { LogoutDialog } from '#app/parts/sign-out.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Container } from '#app/ui/page.tsx'
import { ProvidersOnly, SecondFactorRequired, SessionExpired } from './no-access.tsx'

/** Whether the last opened dashboard page lacked the site's header; null before the first. */
let wasBare: boolean | null = null

function useIsBare(): boolean {
  return useMatches({
    select: (matches) => matches.some((match) => match.staticData.isBare === true),
  })
}

/**
 * Navigation between pages with and without the site's header remounts everything and loses focus: the new
 * heading then takes it, as after any navigation.
 */
function useFocusInNewFrame(isBare: boolean): void {
  useEffect(() => {
    const isNewFrame = wasBare !== null && wasBare !== isBare
    wasBare = isBare
    if (!isNewFrame) return
    const focusHeading = () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null) return
      observer.disconnect()
      if (document.activeElement === document.body) focusPageHeading()
    }
    // The page may still be on its way.
    const observer = new MutationObserver(focusHeading)
    observer.observe(document.body, { childList: true, subtree: true })
    focusHeading()
    return () => observer.disconnect()
  }, [isBare])
}

/** Whether a page previews what patients see, which takes the full width. */
function useIsPreview(): boolean {
  return useLocation({ select: ({ search }) => 'view' in search && search.view === 'preview' })
}

/** Sidebar and page side by side from 768 pixels; bare pages have no site header above them. */
function Columns({ children }: { children: ReactNode }) {
  const isPreview = useIsPreview()
  const isBare = useIsBare()
  if (isPreview) return <>{children}</>
  const columns = (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)] md:gap-8 lg:gap-12 print:block!">
      <Sidebar />
      <div className="min-w-0 max-md:mt-6">{children}</div>
    </div>
  )
  return isBare ? (
    <div data-wide>{columns}</div>
  ) : (
    <Container className="md:pt-8 lg:pt-12">{columns}</Container>
  )
}

/** Layout of the provider's pages: the sidebar next to the requested page. */
export function DashboardShell() {
  useFocusInNewFrame(useIsBare())
  const isSignedIn = useSignedInUser() !== null
  const user = useMe()
  const { data: me } = user
  if (!isSignedIn || me === null) return <SessionExpired />
  if (me !== undefined && me.kind !== 'provider') return <ProvidersOnly />
  if (me?.must_set_second_factor === true) return <SecondFactorRequired />
  return (
    <Columns>
      <UserBoundary user={user} failed="Your dashboard didn’t load" title="Dashboard">
        {() => <Outlet />}
      </UserBoundary>
    </Columns>
  )
}

const line =
  'flex min-h-11 w-full items-center gap-3 rounded-field px-3 text-left font-medium text-ink no-underline ' +
  'transition-colors duration-150 hover:bg-tint hover:text-brand-deep ' +
  'aria-[current=page]:bg-tint aria-[current=page]:font-semibold aria-[current=page]:text-brand-deep'
const iconShape = 'size-5 shrink-0'

type ChooseProps = { onChoose: () => void }

/** A collapsible group of pages, initially open so that nothing has to be looked for. */
function Submenu({
  entry,
  onChoose,
}: ChooseProps & { entry: Extract<MenuEntry, { pages: unknown }> }) {
  const id = useId()
  const [isOpen, setOpen] = useState(true)
  const { icon: Icon, label, pages } = entry
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={line}
      >
        <Icon aria-hidden="true" className={iconShape} />
        <span className="flex-1">{label}</span>
        <ChevronDown
          aria-hidden="true"
          className={cx('size-4 transition-transform duration-150', isOpen && 'rotate-180')}
        />
      </button>
      {/* The vertical line is centred under the icon above. */}
      <ul
        id={id}
        hidden={!isOpen}
        className="mt-1 ml-5.5 flex flex-col gap-1 border-l border-line pl-2.5"
      >
        {pages.map(({ label: page, to }) => (
          <li key={to}>
            <Link to={to} onClick={onChoose} className={line}>
              {page}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** Content of the provider's sidebar, on wide screens and in the drawer on narrow ones. */
function ProviderMenu({ onChoose, onLogout }: ChooseProps & { onLogout: () => void }) {
  return (
    <nav aria-label="Provider">
      <ul className="flex flex-col gap-1">
        {menuEntries.map((entry) => {
          if ('pages' in entry) {
            return <Submenu key={entry.label} entry={entry} onChoose={onChoose} />
          }
          const { icon: Icon, label, to } = entry
          return (
            <li key={label}>
              <Link to={to} onClick={onChoose} className={line}>
                <Icon aria-hidden="true" className={iconShape} />
                {label}
              </Link>
            </li>
          )
        })}
        <li className="mt-2 border-t border-line pt-2">
          <button type="button" onClick={onLogout} className={line}>
            <LogOut aria-hidden="true" className={iconShape} />
            Logout
          </button>
        </li>
      </ul>
    </nav>
  )
}

/** Width from which the sidebar is always open (specification: 768 pixels). */
const WIDE = '(min-width: 48rem)'

/** The provider's menu, and the question before logging out. */
function Sidebar() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <SideMenu
        title="Provider menu"
        wide={WIDE}
        className="rounded-card border border-line bg-surface p-2"
      >
        {({ close }) => (
          <ProviderMenu
            onChoose={close}
            onLogout={() => {
              close()
              setAsking(true)
            }}
          />
        )}
      </SideMenu>
      <LogoutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/** A page of the dashboard; labels as the specification writes them. */
type PageEntry = {
  label: string
  to:
    | '/dochome'
    | '/doctor/availability/new'
    | '/doctor/availability/all'
    | '/doctor/appointment-history'
    | '/doctor/bank-account'
    | '/doctor/profile'
}

/** An entry of the sidebar: a page, or a submenu of pages. */
export type MenuEntry = { label: string; icon: LucideIcon } & (
  | Pick<PageEntry, 'to'>
  | { pages: readonly PageEntry[] }
)

const menuEntries: readonly MenuEntry[] = [
  { label: 'DashBoard', icon: LayoutDashboard, to: '/dochome' },
  {
    label: 'Appointments',
    icon: CalendarClock,
    pages: [
      { label: 'Add New Availability', to: '/doctor/availability/new' },
      { label: 'All Availabilities', to: '/doctor/availability/all' },
      { label: 'Booked History', to: '/doctor/appointment-history' },
    ],
  },
  {
    label: 'Payments',
    icon: WalletCards,
    pages: [{ label: 'Bank Accounts', to: '/doctor/bank-account' }],
  },
  { label: 'Profile', icon: UserRound, to: '/doctor/profile' },
]

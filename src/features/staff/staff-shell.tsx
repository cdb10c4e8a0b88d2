import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { getMutationKey } from '@trpc/react-query'
import {
  BadgeCheck,
  CalendarX2,
  Image,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  MailWarning,
  Scale,
  ScrollText,
  Users,
  WalletCards,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { endSession, mustSetUp, sessionEndReason, useSignedInUser } from '#app/lib/session.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { SideMenu } from '#app/parts/dashboard-frame.tsx'
import { UserBoundary } from '#app/parts/data-boundary.tsx'
import { Logo, NetworkNotice, ThemeSwitch } from '#app/parts/site-frame.tsx'
import { StepUpProvider } from '#app/parts/step-up.tsx'
import { clearPrivateQueries, useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes, SkipLink } from '#app/ui/page.tsx'
import { showToast, Toaster } from '#app/ui/toast.tsx'
import { SessionEndReason, SIGNED_OUT_KEYS } from '#contract/auth.ts'

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <StaffHeader />
      <NetworkNotice />
      <div className="mx-auto w-full max-w-staff flex-1 px-4 pb-16 sm:px-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10 lg:px-8 lg:pt-8 print:block! print:max-w-none print:p-0">
        <StaffSidebar />
        <main id="main" tabIndex={-1} className="min-w-0 max-lg:mt-6">
          {children}
        </main>
      </div>
      <Toaster />
    </div>
  )
}

/** Redirects to the staff sign-in, which returns to this page. */
function ToSignIn(props: { why: SessionEndReason | null }) {
  const navigate = useNavigate()
  const isLoggingOut = useIsLoggingOut()
  // Initial values: the address changes before this page unmounts, and the session is cleared.
  const [next] = useState(useCurrentUrl())
  const [why] = useState(props.why)
  useEffect(() => {
    if (isLoggingOut) return
    // Clears the session first: the sign-in page is for signed-out users.
    if (why !== null) endSession(SIGNED_OUT_KEYS)
    const search = { next, ...(why !== null && { why }) }
    void navigate({ to: '/admin-signin', search, replace: true })
  }, [navigate, next, why, isLoggingOut])
  return <PendingShapes shapes={['h-10 w-72 max-w-full', 'h-48', 'h-48']} />
}

/** The frame of all staff pages: header, menu, and the requested page. */
export function StaffShell() {
  const isSignedIn = useSignedInUser() !== null
  const user = useMe()
  const { data: me } = user
  const over = useSessionEnd()
  if (over !== null || !isSignedIn || me === null) {
    // Another request may have been refused before the session status was checked.
    const why = over ?? SessionEndReason.safeParse(sessionEndReason()).data ?? 'ended'
    return <ToSignIn why={why} />
  }
  if (me !== undefined && (me.kind !== 'staff' || mustSetUp(me))) return <ToSignIn why={null} />
  return (
    <StepUpProvider>
      <Frame>
        <UserBoundary user={user} failed="This page didn’t load" title="Staff">
          {() => <Outlet />}
        </UserBoundary>
      </Frame>
    </StepUpProvider>
  )
}

/** The simple header of staff pages: where you are, who you are, and Logout. */
function StaffHeader() {
  const { data: me } = useMe()
  const logout = useStaffLogout()
  return (
    <header className="no-print border-b border-line bg-paper">
      <div className="mx-auto flex min-h-16 w-full max-w-staff items-center justify-between gap-3 px-4 sm:px-6 lg:px-8">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 md:shrink-0">
          <Link
            to="/admin-home"
            aria-label="Apposite staff, home"
            className="flex min-h-11 items-center rounded-field no-underline"
          >
            <Logo />
          </Link>
          {useSiteConfig().demo && <Badge tone="accent">Demo</Badge>}
        </div>
        <div className="flex min-w-0 items-center gap-1 sm:gap-2 max-md:shrink-0">
          {me?.role && (
            <p className="mr-2 flex min-w-0 items-center gap-2 max-md:hidden">
              <Link
                to="/userProfile"
                className="inline-flex min-h-11 max-w-64 min-w-0 items-center rounded-field text-muted underline-offset-4 hover:text-brand-deep"
              >
                <span className="truncate">{me.email}</span>
              </Link>
              <Badge tone="brand">{me.role}</Badge>
            </p>
          )}
          <div className="max-sm:hidden">
            <ThemeSwitch />
          </div>
          <Button
            variant="secondary"
            isBusy={logout.isPending}
            onClick={() => logout.mutate()}
            className="max-sm:px-3"
          >
            <LogOut aria-hidden="true" className="size-4.5" />
            Logout
          </Button>
        </div>
      </div>
    </header>
  )
}

const menuLinkClass =
  'flex min-h-11 w-full items-center gap-3 rounded-field px-3 font-medium text-ink no-underline ' +
  'transition-colors duration-150 hover:bg-tint hover:text-brand-deep'

/** The staff menu, beside the page on wide screens and in the drawer on narrow ones. */
function StaffMenu({ onChoose }: { onChoose: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <nav aria-label="Staff">
      <ul className="flex flex-col gap-1">
        {menuEntries.map((entry) => {
          const { label, icon: Icon, to } = entry
          const isHere = isWithin(entry, pathname)
          // "page" marks the page itself; a subpage only highlights its menu entry.
          const current = pathname === to ? 'page' : isHere || undefined
          return (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: true }}
                aria-current={current}
                onClick={onChoose}
                className={cx(menuLinkClass, isHere && 'bg-tint font-semibold text-brand-deep')}
              >
                <Icon aria-hidden="true" className="size-5 shrink-0" />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Wider than for provider pages, as the tables need their width. */
const WIDE = '(min-width: 64rem)'

/** The user's name, which the header has no space for on phones. */
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

/** The staff menu; the drawer also has what the header has no space for. */
function StaffSidebar() {
  return (
    // The column scrolls, and would cut off the focus rings of the links at its edges.
    <SideMenu title="Staff menu" wide={WIDE} className="-m-1.25 p-1.25">
      {({ isDrawer, close }) => (
        <>
          {isDrawer && <Person />}
          <StaffMenu onChoose={close} />
          {isDrawer && (
            <div className="mt-4 border-t border-line pt-4 sm:hidden">
              <ThemeSwitch />
            </div>
          )}
        </>
      )}
    </SideMenu>
  )
}

type MenuEntry = {
  label: string
  icon: LucideIcon
  to:
    | '/admin-home'
    | '/admin-home/providers'
    | '/admin-home/gallery'
    | '/admin-home/payments'
    | '/admin-home/superusers'
    | '/admin-home/audit'
    | '/admin-home/mail'
    | '/admin-home/claims'
    | '/admin-home/cancellations'
  /** Prefix of further paths that belong to this entry. */
  also?: string
}

/** The staff pages, with pending work first. */
const menuEntries: readonly MenuEntry[] = [
  { label: 'Home', icon: LayoutDashboard, to: '/admin-home' },
  {
    label: 'Providers',
    icon: BadgeCheck,
    to: '/admin-home/providers',
    also: '/admin-home/verified-provider',
  },
  { label: 'Payments', icon: WalletCards, to: '/admin-home/payments' },
  { label: 'Contested visits', icon: Scale, to: '/admin-home/claims' },
  { label: 'Cancellations', icon: CalendarX2, to: '/admin-home/cancellations' },
  { label: 'Gallery', icon: Image, to: '/admin-home/gallery' },
  { label: 'Failed emails', icon: MailWarning, to: '/admin-home/mail' },
  { label: 'Super users', icon: Users, to: '/admin-home/superusers' },
  { label: 'Audit log', icon: ScrollText, to: '/admin-home/audit' },
]

/** Whether a path belongs to a menu entry, as its page or as a subpage. */
function isWithin({ to, also }: MenuEntry, pathname: string): boolean {
  if (pathname === to) return true
  if (to === '/admin-home') return false
  return pathname.startsWith(`${to}/`) || (also !== undefined && pathname.startsWith(`${also}/`))
}

/** Polling interval in milliseconds, and so about the time until a revoked permission shows. */
const POLL_MS = 1_000

/**
 * Polls the session status while the page is in view: a new role takes effect at once, and an ended session
 * leads away. Returns why it ended, or null.
 */
function useSessionEnd(): SessionEndReason | null {
  const client = useQueryClient()
  const { data: me } = useMe()
  const isLoggingOut = useIsLoggingOut()
  const { data: status } = trpc.auth.sessionStatus.useQuery(undefined, {
    // Not while signing out, when the response would be that nobody is signed in.
    enabled: me?.kind === 'staff' && !isLoggingOut,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const over = status?.over ?? null
  const role = status?.role ?? null
  const known = me?.role ?? null
  useEffect(() => {
    if (role === null || known === null || role === known) return
    void showToast(`Your role is now ${role}. Anything it doesn’t allow is now switched off.`)
    // Refetches all data too: other roles see less of it.
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isSessionStatus(queryKey) })
  }, [role, known, client])
  return over
}

function isSessionStatus([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path.join('.') === 'auth.sessionStatus'
}

/** The address of this page, to return to. */
function useCurrentUrl(): string {
  return useLocation({ select: ({ href }) => href })
}

/** Whether the user is signing out, and so need not be asked to sign in again. */
function useIsLoggingOut(): boolean {
  return useIsMutating({ mutationKey: getMutationKey(trpc.auth.signOut) }) > 0
}

/** Signs out on the server, clears `adminAccessToken` and goes to the staff sign-in. */
function useStaffLogout() {
  const client = useQueryClient()
  const router = useRouter()
  return trpc.auth.signOut.useMutation({
    // Requests still in flight would be refused.
    onMutate: () => client.cancelQueries(),
    onSuccess: async ({ localStorage: keys }) => {
      endSession(keys)
      await router.navigate({ to: '/admin-signin', search: {}, ignoreBlocker: true })
      clearPrivateQueries(client)
    },
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
}

import {
  BadgeCheck,
  Image,
  LayoutDashboard,
  type LucideIcon,
  MailWarning,
  ScrollText,
  Users,
  WalletCards,
} from 'lucide-react'

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
  /** Pages below it that are part of it, by the start of their address. */
  also?: string
}

/** The staff's pages in the order of the day: what waits for people first. */
export const menuEntries: readonly MenuEntry[] = [
  { label: 'Home', icon: LayoutDashboard, to: '/admin-home' },
  {
    label: 'Providers',
    icon: BadgeCheck,
    to: '/admin-home/providers',
    also: '/admin-home/verified-provider',
  },
  { label: 'Payments', icon: WalletCards, to: '/admin-home/payments' },
  { label: 'Gallery', icon: Image, to: '/admin-home/gallery' },
  { label: 'Failed mail', icon: MailWarning, to: '/admin-home/mail' },
  { label: 'Super users', icon: Users, to: '/admin-home/superusers' },
  { label: 'Audit log', icon: ScrollText, to: '/admin-home/audit' },
]

/** Whether a page belongs to an entry of the menu, itself or as one of the pages below it. */
export function isWithin({ to, also }: MenuEntry, pathname: string): boolean {
  if (pathname === to) return true
  if (to === '/admin-home') return false
  return pathname.startsWith(`${to}/`) || (also !== undefined && pathname.startsWith(`${also}/`))
}

import {
  CalendarClock,
  LayoutDashboard,
  type LucideIcon,
  UserRound,
  WalletCards,
} from 'lucide-react'

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

/** A line of the sidebar: a page, or a submenu of pages. */
export type MenuEntry = { label: string; icon: LucideIcon } & (
  | Pick<PageEntry, 'to'>
  | { pages: readonly PageEntry[] }
)

export const menuEntries: readonly MenuEntry[] = [
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

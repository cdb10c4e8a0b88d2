import { Link } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { siteConfig } from '#app/lib/site-config.ts'
import { Logo } from '#app/parts/logo.tsx'
import { ThemeSwitch } from '#app/parts/theme-switch.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { useStaffLogout } from './use-staff-logout.ts'

/** The simple header of the staff's pages: where one is, who one is, and Logout. */
export function StaffHeader() {
  const { data: me } = useMe()
  const logout = useStaffLogout()
  return (
    <header className="no-print border-b border-line bg-paper">
      <div className="mx-auto flex min-h-16 w-full max-w-staff items-center justify-between gap-3 px-4 sm:px-6 lg:px-8">
        <div className="flex items-center gap-3">
          <Link
            to="/admin-home"
            aria-label="Apposite staff, home"
            className="flex min-h-11 items-center rounded-field no-underline"
          >
            <Logo />
          </Link>
          {siteConfig().demo && <Badge tone="accent">Demo</Badge>}
        </div>
        <div className="flex items-center gap-1 sm:gap-2">
          {me?.role && (
            <p className="mr-2 flex items-center gap-2 max-md:hidden">
              <Link
                to="/userProfile"
                className="inline-flex min-h-11 max-w-64 items-center rounded-field text-muted underline-offset-4 hover:text-brand-deep"
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
            <LogOut aria-hidden="true" strokeWidth={1.75} className="size-4.5" />
            Logout
          </Button>
        </div>
      </div>
    </header>
  )
}

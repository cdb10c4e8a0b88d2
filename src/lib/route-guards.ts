import { type AnyRouter, type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Me } from '#contract/auth.ts'
import { hasSetUp, isStaffHere, signedInUser } from './session.ts'
import { siteConfig } from './site-config.ts'
import { readCookie } from './storage.ts'

/** Where `next=` may never lead: pages that act, the door itself, and what would be another host. */
const NEVER = /^\/($|\/|verify\/|reset-password\/|visit\/)/

/**
 * An address of one of our own screens, as it stood in `next=`, or null: never another site, never a
 * path that no screen has (ASVS 3.7.2).
 */
export function knownPath(router: AnyRouter, text: string | undefined): string | null {
  if (text === undefined || !/^\/(?![/\\])/.test(text) || !URL.canParse(text, location.origin)) {
    return null
  }
  const { origin, pathname, search, hash } = new URL(text, location.origin)
  if (origin !== location.origin || NEVER.test(pathname)) return null
  const [, , found] = router.getMatchedRoutes(pathname)
  return found === undefined ? null : pathname + search + hash
}

/** Where somebody who has just come in goes when nothing else was wanted. */
export function startPage(
  me: Me,
): '/home' | '/dochome' | '/userProfile' | '/admin-home' | '/admin-signin' {
  if (me.kind === 'staff') return hasSetUp(me) ? '/admin-signin' : '/admin-home'
  if (hasSetUp(me)) return '/userProfile'
  return me.kind === 'patient' ? '/home' : '/dochome'
}

/**
 * The guard of the provider's pages: nobody signed in goes to the provider's sign-in and comes back.
 * Who is signed in as somebody else only the server knows; the page says so itself.
 */
export function providersOnly({ location }: { location: ParsedLocation }): void {
  if (signedInUser() !== null) return
  const search = { as: 'provider', next: location.href } as const
  // oxlint-disable-next-line typescript/only-throw-error -- how a guard of the router leads elsewhere
  throw redirect({ to: '/sign-in', search, replace: true })
}

/**
 * The guard of the staff's pages: whoever is not known here as staff goes to the staff's sign-in and
 * comes back. What they may do the server says, call by call.
 */
export function staffOnly({ location }: { location: ParsedLocation }): void {
  if (isStaffHere()) return
  // oxlint-disable-next-line typescript/only-throw-error -- how a guard of the router leads elsewhere
  throw redirect({ to: '/admin-signin', search: { next: location.href }, replace: true })
}

/** Reached from mails, banks and staff bookmarks: never behind the door (product.md, section 2). */
const OPEN =
  /^\/($|verify\/|reset-password\/|visit\/|return\/?$|admin-signin\/?$|admin-start\/?$|admin-home(\/|$))/

/** Whether this installation is a demo that the browser has not entered, and the path needs it. */
export function isShutOut(pathname: string): boolean {
  return siteConfig().demo && !OPEN.test(pathname) && readCookie('demo_access_token') === null
}

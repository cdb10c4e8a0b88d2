import { type AnyRouter, type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Me } from '#contract/auth.ts'
import { parseUrl } from '#contract/base/urls.ts'
import { isStaffSignedIn, mustSetUp, signedInUser } from './session.ts'
import type { PageContext } from './site-config.ts'
import { readCookie } from './storage.ts'

/** Paths that `next=` must never lead to: pages that act when opened, the demo's entry page, other hosts. */
const FORBIDDEN_NEXT = /^\/($|\/|verify\/|reset-password\/|visit\/)/

/**
 * The path in `next=` if it is one of our own pages, else null: never another site or an unknown path (ASVS
 * 3.7.2).
 */
export function knownPath(router: AnyRouter, text: string | undefined): string | null {
  if (text === undefined || !/^\/(?![/\\])/.test(text)) return null
  const url = parseUrl(text, location.origin)
  if (url === null) return null
  const { origin, pathname, search, hash } = url
  if (origin !== location.origin || FORBIDDEN_NEXT.test(pathname)) return null
  const [, , found] = router.getMatchedRoutes(pathname)
  return found === undefined ? null : pathname + search + hash
}

/** Page to show after signing in if no other was requested. */
export function startPage(
  me: Me,
): '/home' | '/dochome' | '/userProfile' | '/admin-home' | '/admin-signin' {
  if (me.kind === 'staff') return mustSetUp(me) ? '/admin-signin' : '/admin-home'
  if (mustSetUp(me)) return '/userProfile'
  return me.kind === 'patient' ? '/home' : '/dochome'
}

/**
 * Guard of the provider's pages: redirects signed-out users to the provider's sign-in, and back afterwards.
 * Only the server knows the kind of account, so the page itself handles patients and staff.
 */
export function providersOnly({ location }: { location: ParsedLocation }): void {
  if (signedInUser() !== null) return
  const search = { as: 'provider', next: location.href } as const
  // oxlint-disable-next-line typescript/only-throw-error -- router guards redirect by throwing
  throw redirect({ to: '/sign-in', search, replace: true })
}

/**
 * Guard of the staff's pages: redirects users not known here as staff to the staff's sign-in, and back
 * afterwards. The server authorizes each request.
 */
export function staffOnly({ location }: { location: ParsedLocation }): void {
  if (isStaffSignedIn()) return
  // oxlint-disable-next-line typescript/only-throw-error -- router guards redirect by throwing
  throw redirect({ to: '/admin-signin', search: { next: location.href }, replace: true })
}

/**
 * Reached from emails, banks and staff bookmarks: never behind the demo's entry page (product.md, section 2).
 */
const PUBLIC_PATHS =
  /^\/($|verify\/|reset-password\/|visit\/|return\/?$|admin-signin\/?$|admin-start\/?$|admin-home(\/|$))/

const DEMO_COOKIE = 'demo_access_token'

/** Whether this is a demo that the browser has not entered, and the path requires it. */
export function needsDemoAccess({ site, cookies }: PageContext, pathname: string): boolean {
  if (!site.demo || PUBLIC_PATHS.test(pathname)) return false
  return import.meta.env.SSR ? !cookies.includes(DEMO_COOKIE) : readCookie(DEMO_COOKIE) === null
}

import type { AnyRouter } from '@tanstack/react-router'

/** Where `next=` may never lead: pages that act, and the door itself. */
const NEVER = /^\/($|verify\/|reset-password\/)/

/**
 * An address of one of our own screens, as it stood in `next=`, or null: never another site, never a
 * path that no screen has (ASVS 3.7.2).
 */
export function knownPath(router: AnyRouter, text: string | undefined): string | null {
  if (text === undefined || !/^\/(?![/\\])/.test(text) || !URL.canParse(text, location.origin)) {
    return null
  }
  const { origin, pathname, search } = new URL(text, location.origin)
  if (origin !== location.origin || NEVER.test(pathname)) return null
  const [, , found] = router.getMatchedRoutes(pathname)
  return found === undefined ? null : pathname + search
}

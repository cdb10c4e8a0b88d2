import * as z from 'zod/mini'

const MAX = 300

/** Pages that act, the demo's door, and what a browser would read as another host. */
const NEVER = /^\/($|\/|verify\/|reset-password\/|trpc\/|api\/)/

/**
 * Whether a text is an address of this site and of no other, as `next` carries it: a path from the root
 * in plain ASCII, at most 300 characters (ASVS 3.7.2). Whether a screen is there the page says.
 */
export function isOwnPath(text: string): boolean {
  if (text.length > MAX || !/^\/(?![/\\])[!-[\]-~]*$/.test(text)) return false
  const base = 'http://own.invalid'
  if (!URL.canParse(text, base)) return false
  const { origin, pathname } = new URL(text, base)
  return origin === base && !NEVER.test(pathname)
}

/** Where somebody goes once they have confirmed their address. */
export const NextPath = z
  .string()
  .check(z.refine<string>(isOwnPath, { error: 'Enter a path of this site.' }))

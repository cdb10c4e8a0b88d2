import * as z from 'zod/mini'
import { parseUrl } from './urls.ts'

const MAX_LENGTH = 300

/** Pages that perform an action, the demo's entry page, and paths that a browser would read as another host. */
const FORBIDDEN = /^\/($|\/|verify\/|reset-password\/|trpc\/|api\/)/

/**
 * Whether a text is a path on this site, as `next` carries it: from the root, plain ASCII, at most 300
 * characters (ASVS 3.7.2). It does not check that the page exists.
 */
export function isOwnPath(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(text)) return false
  const base = 'http://own.invalid'
  const url = parseUrl(text, base)
  return url?.origin === base && !FORBIDDEN.test(url.pathname)
}

/** Where to go once the address is confirmed. */
export const NextPath = z
  .string()
  .check(z.refine<string>(isOwnPath, { error: 'Enter a path of this site.' }))

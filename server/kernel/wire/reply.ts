import { generateCookie } from 'hono/cookie'

/**
 * The cookies of a request by name, without malformed ones. A name that appears twice with different values
 * is dropped too: a sibling domain planted one of them, and the header does not show which.
 */
export function readCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at)).trim()
    if (name === '') continue
    const value = part.slice(at + 1).trim()
    if (cookies.has(name) && cookies.get(name) !== value) ambiguous.add(name)
    cookies.set(name, value)
  }
  for (const name of ambiguous) cookies.delete(name)
  return cookies
}

type CookieOptions = {
  /** Seconds; 0 removes the cookie. */
  maxAge: number
  /** Whether scripts on our pages may read it. */
  isReadable?: boolean
}

/** One Set-Cookie header: always Secure, SameSite=Strict and for the whole site. */
export function cookieHeader(name: string, value: string, options: CookieOptions): string {
  const { maxAge, isReadable = false } = options
  const httpOnly = !isReadable
  return generateCookie(name, value, { maxAge, httpOnly, secure: true, sameSite: 'Strict' })
}

/** Response headers, added by use cases after their write. */
export class Reply {
  readonly headers: [name: string, value: string][] = []

  /** `maxAge` is in seconds; 0 removes the cookie. */
  cookie(name: string, value: string, options: { maxAge: number; isReadable?: boolean }): void {
    this.headers.push(['set-cookie', cookieHeader(name, value, options)])
  }

  header(name: string, value: string): void {
    this.headers.push([name, value])
  }
}

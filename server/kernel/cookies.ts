/** The cookies of a request by name; what is no cookie is left out. */
export function readCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at)).trim()
    if (name === '') continue
    // The first wins: a cookie planted by a sibling domain comes after our own.
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}

type CookieOptions = {
  /** Seconds; 0 removes the cookie. */
  maxAge: number
  /** Whether scripts of our pages may read it. */
  isReadable?: boolean
}

/** One Set-Cookie header: always Secure, SameSite=Strict and for the whole site. */
export function cookieHeader(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Max-Age=${options.maxAge}`, 'Path=/']
  if (options.isReadable !== true) parts.push('HttpOnly')
  return [...parts, 'Secure', 'SameSite=Strict'].join('; ')
}

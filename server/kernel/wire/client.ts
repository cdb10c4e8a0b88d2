import Bowser from 'bowser'
import { generateCookie } from 'hono/cookie'
import { UNATTENDED_HEADER } from '#contract/base/unattended.ts'

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

type ReplyCookieOptions = CookieOptions & {
  /** Whether the response is right without it, so that a repeated request may get the response alone. */
  isOptional?: boolean
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
  /** Whether the response would be wrong without its headers. */
  needsHeaders = false

  /** `maxAge` is in seconds; 0 removes the cookie. */
  cookie(name: string, value: string, options: ReplyCookieOptions): void {
    const { isOptional = false, ...cookie } = options
    this.headers.push(['set-cookie', cookieHeader(name, value, cookie)])
    this.needsHeaders ||= !isOptional
  }

  header(name: string, value: string): void {
    this.headers.push([name, value])
    this.needsHeaders = true
  }
}

/** What a request reveals about its client. */
export type Client = {
  /** "Chrome on Windows". */
  device: string
  /** Web pages cannot hide that they run in a browser; other clients are given tokens as JSON. */
  isBrowser: boolean
  cookies: ReadonlyMap<string, string>
  /** Token of a session in the Authorization header. */
  bearer: string | null
  /** Access token for scripts in the same header. */
  accessToken: string | null
  /** The Idempotency-Key header as sent; null without one. */
  idempotencyKey: string | null
  /** Whether a page sent it by itself, with nobody at it. */
  isUnattended: boolean
}

/** Calls that don't come over HTTP: jobs and tests. */
export const NO_CLIENT: Client = {
  device: 'A program',
  isBrowser: false,
  cookies: new Map(),
  bearer: null,
  accessToken: null,
  idempotencyKey: null,
  isUnattended: false,
}

/** The credentials after `Bearer` in the Authorization header, unchecked; null without such a header. */
export function bearerIn(headers: Headers): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Reads the client from the request headers. */
export function readClient(headers: Headers): Client {
  const shown = bearerIn(headers)
  // A malformed token still counts as an access token: it is refused as one, never read as a session.
  const isAccessToken = shown?.startsWith('apo_') ?? false
  const isSession = !isAccessToken && /^[A-Za-z0-9_-]{43}$/.test(shown ?? '')
  return {
    device: deviceName(headers.get('user-agent')),
    // Node's own fetch sends Sec-Fetch-Mode but is no browser; no web page can omit both of these.
    isBrowser: headers.has('origin') || headers.has('sec-fetch-site'),
    // With a token, cookies are ignored: a browser session never mixes with it.
    cookies: shown === null ? readCookies(headers.get('cookie')) : new Map(),
    bearer: isSession ? shown : null,
    accessToken: isAccessToken ? shown : null,
    idempotencyKey: headers.get('idempotency-key'),
    isUnattended: headers.has(UNATTENDED_HEADER),
  }
}

/** How people call browsers and systems that Bowser names in full. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  macOS: 'Mac',
  'Chrome OS': 'ChromeOS',
}

const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))

/** A user agent as a person would name it: "Chrome on Windows". Only a hint; no decision depends on it. */
export function deviceName(userAgent: string | null): string {
  const { browser, os, platform } = Bowser.parse(userAgent || 'none')
  // For others Bowser gives the agent's own words, which may be any text.
  if (!KNOWN_BROWSERS.has(browser.name ?? '')) return 'A program'
  const system = os.name === 'iOS' ? platform.model : os.name
  const names = [browser.name, system].map((name) => name && (SHORT_NAMES[name] ?? name))
  return names.filter(Boolean).join(' on ')
}

import { readCookies } from '#server/kernel/wire/reply.ts'

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
}

/** Calls that don't come over HTTP: jobs and tests. */
export const NO_CLIENT: Client = {
  device: 'A program',
  isBrowser: false,
  cookies: new Map(),
  bearer: null,
  accessToken: null,
  idempotencyKey: null,
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
  }
}

const BROWSERS: [name: string, mark: RegExp][] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
]

const SYSTEMS: [name: string, mark: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** A user agent as a person would name it: "Chrome on Windows". Only a hint; no decision depends on it. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return 'A program'
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0]
  if (browser === undefined) return 'A program'
  return system === undefined ? browser : `${browser} on ${system}`
}

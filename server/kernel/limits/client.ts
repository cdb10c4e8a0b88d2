import { readCookies } from '#server/kernel/wire/reply.ts'

/** What a request says about the program that sent it. */
export type Client = {
  /** "Chrome on Windows". */
  device: string
  /** Pages cannot hide that they are in a browser; other programs are given tokens as JSON. */
  isBrowser: boolean
  cookies: ReadonlyMap<string, string>
  /** Token of a session in the Authorization header. */
  bearer: string | null
  /** A token somebody made for their scripts, in the same header. */
  accessToken: string | null
  /** As sent, under which a write is to be done once; null without one. */
  idempotencyKey: string | null
}

/** Calls that came over no HTTP: jobs and tests. */
export const NO_CLIENT: Client = {
  device: 'A program',
  isBrowser: false,
  cookies: new Map(),
  bearer: null,
  accessToken: null,
  idempotencyKey: null,
}

/** What follows `Bearer` in the Authorization header, whatever it is; null without such a header. */
export function bearerIn(headers: Headers): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Reads the client out of the headers of a request. */
export function readClient(headers: Headers): Client {
  const shown = bearerIn(headers)
  // Also one that cannot be right: it is refused as such, and never read as something else.
  const isAccessToken = shown?.startsWith('apo_') ?? false
  const isSession = !isAccessToken && /^[A-Za-z0-9_-]{43}$/.test(shown ?? '')
  return {
    device: deviceName(headers.get('user-agent')),
    // Node's own fetch sends Sec-Fetch-Mode and is no browser; no page can leave out both of these.
    isBrowser: headers.has('origin') || headers.has('sec-fetch-site'),
    // A token speaks for itself: the session of a browser is never mixed into what it does.
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

/** A user agent as a person would name it: "Chrome on Windows". It is a hint, nothing is decided by it. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return 'A program'
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0]
  if (browser === undefined) return 'A program'
  return system === undefined ? browser : `${browser} on ${system}`
}

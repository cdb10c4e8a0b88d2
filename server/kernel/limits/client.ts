import { deviceName } from '#server/kernel/device.ts'
import { readCookies } from '#server/kernel/wire/cookies.ts'

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

/** Reads the client out of the headers of a request. */
export function readClient(headers: Headers): Client {
  const given = /^Bearer (apo_)?([A-Za-z0-9_-]{43})$/.exec(headers.get('authorization') ?? '')
  const [, prefix, secret = null] = given ?? []
  const isAccessToken = prefix !== undefined
  return {
    device: deviceName(headers.get('user-agent')),
    // Node's own fetch sends Sec-Fetch-Mode and is no browser; no page can leave out both of these.
    isBrowser: headers.has('origin') || headers.has('sec-fetch-site'),
    // A token speaks for itself: the session of a browser is never mixed into what it does.
    cookies: isAccessToken ? new Map() : readCookies(headers.get('cookie')),
    bearer: isAccessToken ? null : secret,
    accessToken: isAccessToken ? `${prefix}${secret}` : null,
    idempotencyKey: headers.get('idempotency-key'),
  }
}

import { AppError } from './errors.ts'

/** As long as a gateway or a phone without reception may sensibly try again. */
export const KEY_LIFE_MS = 24 * 60 * 60_000

/** Whoever works on a request has this long; longer than any request of ours is let run. */
export const KEY_LEASE_MS = 60_000

/** Told to those who repeat a request that is still being worked on. */
export const KEY_RETRY_SECONDS = 2

/** A UUID fits, and so does what other services use; quotes are those of the header's draft standard. */
const KEY = /^"?([\w.:~+/=-]{8,200})"?$/

/** Rooms whose answers may be secrets: tokens, codes, keys of a second factor. */
const SECRET_ROOMS: ReadonlySet<string> = new Set(['audit', 'auth'])

/** These answer with a secret, end the account they belong to, or answer with everything that is kept about somebody. */
const NEVER_KEPT: ReadonlySet<string> = new Set([
  'accessTokens.create',
  'erasure.erase',
  'profiles.exportData',
])

/** Whether a repeat of this write may be given the first answer, so that the answer must be kept. */
export function isRepeatable(path: string): boolean {
  const room = path.slice(0, path.indexOf('.'))
  return !SECRET_ROOMS.has(room) && !NEVER_KEPT.has(path)
}

/** The key itself. Throws `invalid_input` where it is none. */
export function readKey(header: string): string {
  const key = KEY.exec(header)?.[1]
  if (key !== undefined) return key
  const message = 'Use 8 to 200 letters, digits or signs, such as a UUID.'
  throw new AppError('invalid_input', {}, { issues: [{ path: 'Idempotency-Key', message }] })
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** One text for a request, however its fields were ordered or its JSON was written. */
export function requestText(path: string, input: unknown): string {
  return JSON.stringify([path, input ?? null], inOrder)
}

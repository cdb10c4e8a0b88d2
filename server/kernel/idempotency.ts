import { AppError } from './errors.ts'

/** The longest that a gateway or a phone without reception may sensibly keep retrying. */
export const KEY_LIFE_MS = 24 * 60 * 60_000

/** Lease on a request in progress; longer than any request of ours may run. */
export const KEY_LEASE_MS = 60_000

/** Retry-After for a request that repeats one still in progress. */
export const KEY_RETRY_SECONDS = 2

/** Accepts a UUID and the keys of other services; the quotes come from the header's draft standard. */
const KEY = /^"?([\w.:~+/=-]{8,200})"?$/

/** Rooms whose responses may hold secrets: tokens, codes, second-factor keys. */
const SECRET_ROOMS: ReadonlySet<string> = new Set(['audit', 'auth'])

/** Procedures that return a secret, erase the caller's account, or return all data about a person. */
const NEVER_STORED: ReadonlySet<string> = new Set([
  'accessTokens.create',
  'erasure.erase',
  'profiles.exportData',
])

/** Whether a retry of this write may be given the first response, which is then stored. */
export function isRepeatable(path: string): boolean {
  const room = path.slice(0, path.indexOf('.'))
  return !SECRET_ROOMS.has(room) && !NEVER_STORED.has(path)
}

/** The key without its quotes. Throws `invalid_input` when it is malformed. */
export function readKey(header: string): string {
  const key = KEY.exec(header)?.[1]
  if (key !== undefined) return key
  const message = 'Use 8 to 200 letters, digits or signs, such as a UUID.'
  throw new AppError('invalid_input', {}, { issues: [{ path: 'Idempotency-Key', message }] })
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Canonical text of a request, independent of field order and JSON formatting. */
export function requestText(path: string, input: unknown): string {
  return JSON.stringify([path, input ?? null], sortKeys)
}

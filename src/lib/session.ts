import { createTRPCClient, httpLink } from '@trpc/client'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/auth.ts'
import { UNATTENDED_HEADER } from '#contract/base/unattended.ts'
import type { AppRouter } from '#server/app-router.ts'
import { isFailedCall } from './errors.ts'
import { loadCode } from './late-code.ts'
import { useRenderedCookie } from './site-config.ts'
import { openTabChannel, readCookie, readStored, writeCookie, writeStored } from './storage.ts'

/** Readable marker cookie; the tokens themselves are cookies that no script can read. */
const MARKER_COOKIE = 'user_id'

/** Only says that staff signed in here; the tokens are cookies that no script can read. */
const STAFF_MARKER = 'adminAccessToken'

const listeners = new Set<() => void>()
const otherTabs = openTabChannel('session')

function notifyThisTab(): void {
  for (const listener of listeners) listener()
}

otherTabs.addEventListener('message', notifyThisTab)

function notifyAllTabs(): void {
  notifyThisTab()
  // BroadcastChannel is same-origin; only messages to windows take a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage('changed')
}

/** The `user_id` of the signed-in user, or null. Only the server knows whether the session is still valid. */
export function signedInUser(): string | null {
  return readCookie(MARKER_COOKIE)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // A session can also end in the background: in another window, or by expiry.
  addEventListener('focus', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('focus', listener)
  }
}

/** `signedInUser`, updated by sign-ins and sign-outs in all tabs; an empty id during server rendering and hydration. */
export function useSignedInUser(): string | null {
  const wasSignedIn = useRenderedCookie(MARKER_COOKIE)
  return useSyncExternalStore(subscribe, signedInUser, () => (wasSignedIn ? '' : null))
}

/**
 * Calls `onOther` when somebody else than the last user is signed in, in whichever tab they did so. Nothing is rendered
 * for them before. Returns a function that stops it.
 */
export function watchUser(onOther: () => void): () => void {
  let last = signedInUser()
  const check = () => {
    const now = signedInUser()
    if (now === null || now === last) return
    const isOther = last !== null
    last = now
    if (isOther) onOther()
  }
  listeners.add(check)
  // Before the components' own listeners, which render.
  addEventListener('focus', check, true)
  return () => {
    listeners.delete(check)
    removeEventListener('focus', check, true)
  }
}

/** Whether the user must first set up a password or a second factor. */
export function mustSetUp(me: Me): boolean {
  return me.must_change_password || me.must_set_second_factor
}

/** Writes the local keys the specification lists; none of them is a secret. */
export function storeLocally(me: Me): void {
  writeStored('isLoggedIn', 'true')
  writeStored('ProfilePhone', me.phone_number)
  writeStored('ProfileEmail', me.email)
  writeStored('firstName', me.first_name)
  // Another user's value must not remain: it determines which sign-in is offered.
  writeStored('provider_id', me.provider?.provider_id ?? null)
  writeStored('provider_located_region', me.provider?.region ?? null)
  writeStored(STAFF_MARKER, me.kind === 'staff' && !mustSetUp(me) ? '1' : null)
}

/** Whether the current or last user of this browser was a provider, as far as it knows. */
export function wasProvider(): boolean {
  return readStored('provider_id') !== null
}

/** Whether somebody of staff is signed in, as far as this browser knows. */
export function isStaffSignedIn(): boolean {
  return signedInUser() !== null && readStored(STAFF_MARKER) !== null
}

/** Called after the server has signed the user in and set its cookies. */
export function startSession(me: Me): void {
  storeLocally(me)
  writeStored('auth_token', null)
  writeStored('provider_auth_token', null)
  notifyAllTabs()
}

/** A failed sign-in leaves `isLoggedIn` false (specification, section 4). */
export function recordFailedSignIn(): void {
  writeStored('isLoggedIn', 'false')
}

/**
 * Forgets the signed-in user: removes the marker and the given local keys, and sets `isLoggedIn` to false.
 */
export function endSession(keys: readonly string[]): void {
  writeCookie(MARKER_COOKIE, '', 0)
  for (const key of keys) writeStored(key, null)
  writeStored(STAFF_MARKER, null)
  writeStored('isLoggedIn', 'false')
  notifyAllTabs()
}

const LOCK = 'session-refresh'
const NEEDS_TOKEN = new Set<unknown>(['sign_in_required', 'session_ended'])

/**
 * When this tab last learned of new tokens, whichever tab requested them, by `performance.now()`: the device’s clock may
 * be set back.
 */
let renewedAt = 0
const refreshingTabs = openTabChannel('session-refresh')
refreshingTabs.addEventListener('message', () => {
  renewedAt = performance.now()
})

let refusalReason: string | null = null

/** The server's reason when it last rejected a refresh token; only staff get one. */
export function sessionEndReason(): string | null {
  return refusalReason
}

/**
 * Timeout of a refresh in milliseconds, and of waiting for another tab's: one that hangs must not stop all
 * tabs. Shorter than the ten seconds in which the server answers a spent token with the same new ones: if
 * only the answer was lost, the next attempt still gets them.
 */
const REFRESH_TIMEOUT_MS = 8_000

/** When this tab last saw input, by `performance.now()`. Opening the page counts. */
let lastInputAt = performance.now()

/** Without input for this long, requests are those of a page that refreshes itself. */
const UNATTENDED_AFTER_MS = 60_000

/** Assistive technology may only click, and dictation only enter text. */
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'click', 'input']

if (!import.meta.env.SSR) {
  const recordInput = () => {
    lastInputAt = performance.now()
  }
  // Captured on the window, so that no handler on the page can hide the event.
  const options = { capture: true, passive: true }
  for (const type of INPUT_EVENTS) addEventListener(type, recordInput, options)
}

/** Headers of a request sent now: whether it counts as use of the session. */
function attendanceHeaders(): Record<string, string> {
  const isUnattended = performance.now() - lastInputAt > UNATTENDED_AFTER_MS
  return isUnattended ? { [UNATTENDED_HEADER]: '1' } : {}
}

/** Not the app's client, which would renew the session for this call as well. */
const client = createTRPCClient<AppRouter>({
  links: [httpLink({ url: '/trpc', headers: attendanceHeaders })],
})

const importAuth = () => import('#contract/auth.ts')

async function requestTokens(): Promise<boolean> {
  try {
    // Without the signal of any one request, as others may be waiting for the same tokens.
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS)
    await client.auth.refresh.mutate({}, { signal })
  } catch (error) {
    const refusal = isFailedCall(error) ? error.data : null
    // Busy, or too many requests: the session is alive, and nobody must be told that it has ended.
    if (refusal?.httpStatus !== 401) throw error
    const { why } = refusal.details
    refusalReason = typeof why === 'string' ? why : null
    // Loaded on demand: the account schemas are larger than everything in this file.
    const { SIGNED_OUT_KEYS } = await loadCode(importAuth)
    endSession(SIGNED_OUT_KEYS)
    return false
  }
  renewedAt = performance.now()
  // BroadcastChannel is same-origin; only messages to windows take a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  refreshingTabs.postMessage('renewed')
  return true
}

/** Refresh tokens are single-use, so only one tab refreshes at a time. */
async function refreshAcrossTabs(since: number): Promise<boolean> {
  if (!('locks' in navigator)) return requestTokens()
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS)
  return navigator.locks.request(LOCK, { signal }, async () => {
    // Another tab may have had its turn first. Its new cookies apply here too; if it got none because the
    // network failed, this tab asks for itself.
    if (signedInUser() === null) return false
    return renewedAt >= since || requestTokens()
  })
}

let pendingRefresh: Promise<boolean> | null = null

/**
 * Exchanges the refresh token for new tokens, once for all concurrent callers in all tabs. False if the token was
 * rejected, and the session is then ended on the page as well. Rejects like `fetch` without an answer, and with the
 * server's refusal if it cannot answer now. `since` is when the rejected request was sent, by `performance.now()`: newer
 * tokens need no refresh.
 */
export async function refreshSession(since: number): Promise<boolean> {
  if (renewedAt >= since) return signedInUser() !== null
  pendingRefresh ??= refreshAcrossTabs(since)
  try {
    return await pendingRefresh
  } finally {
    pendingRefresh = null
  }
}

function codeOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return null
  if ('code' in answer) return answer.code
  const { error } = answer as { error?: { data?: { appCode?: unknown } } }
  return error?.data?.appCode
}

/** Whether a response reports a missing access token, in the format of tRPC or of REST. */
async function lacksToken(response: Response, init: RequestInit): Promise<boolean> {
  // A partly failed batch of writes must not be retried, as some may have been done; reads may.
  const isRead = (init.method ?? 'GET') === 'GET'
  if (response.status !== 401 && !(response.status === 207 && isRead)) return false
  try {
    const body: unknown = await response.clone().json()
    const answers: unknown[] = Array.isArray(body) ? body : [body]
    return answers.some((answer) => NEEDS_TOKEN.has(codeOf(answer)))
  } catch {
    return false
  }
}

/**
 * `fetch` for signed-in users: if the access token (ten minutes) has expired, refreshes it and retries the
 * request once. `init.body` must not be a stream.
 */
export async function signedInFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const since = performance.now()
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(attendanceHeaders())) headers.set(name, value)
  const send = () => fetch(input, { ...init, headers })
  const user = signedInUser()
  const response = await send()
  if (signedInUser() === null || !(await lacksToken(response, init))) return response
  const isRenewed = await refreshSession(since)
  // Somebody else may have signed in in another tab: what one user typed must not be saved as theirs.
  return isRenewed && signedInUser() === user ? send() : response
}

import { endSession, signedInUser } from './session.ts'
import { openTabChannel } from './storage.ts'

const LOCK = 'session-refresh'
const NEEDS_TOKEN = new Set<unknown>(['sign_in_required', 'session_ended'])

/** When this tab last learned of new tokens, whichever tab requested them; epoch milliseconds. */
let renewedAt = 0
const otherTabs = openTabChannel('session-refresh')
otherTabs.addEventListener('message', () => {
  renewedAt = Date.now()
})

let refusalReason: string | null = null

/** The server's reason when it last rejected a refresh token; only staff get one. */
export function sessionEndReason(): string | null {
  return refusalReason
}

function isAnswer(value: unknown): value is { error?: { data?: { details?: { why?: unknown } } } } {
  return typeof value === 'object' && value !== null
}

async function reasonIn(answer: Response): Promise<string | null> {
  try {
    const body: unknown = await answer.json()
    const why = isAnswer(body) ? body.error?.data?.details?.why : null
    return typeof why === 'string' ? why : null
  } catch {
    return null
  }
}

async function requestTokens(): Promise<boolean> {
  const answer = await fetch('/trpc/auth.refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  if (answer.status === 401) {
    refusalReason = await reasonIn(answer)
    // Loaded on demand: the account schemas are larger than everything in this file.
    const { SIGNED_OUT_KEYS } = await import('#contract/auth.ts')
    endSession(SIGNED_OUT_KEYS)
  }
  if (answer.ok) {
    renewedAt = Date.now()
    // BroadcastChannel is same-origin; only messages to windows take a target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    otherTabs.postMessage('renewed')
  }
  return answer.ok
}

/** Refresh tokens are single-use, so only one tab refreshes at a time. */
async function refreshAcrossTabs(): Promise<boolean> {
  if (!('locks' in navigator)) return requestTokens()
  let isRefreshed: boolean | null = null
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock !== null) isRefreshed = await requestTokens()
  })
  if (isRefreshed !== null) return isRefreshed
  // Another tab is refreshing: waits for it, as its new cookies apply to this tab too.
  await navigator.locks.request(LOCK, { mode: 'shared' }, () => Promise.resolve())
  return signedInUser() !== null
}

let pendingRefresh: Promise<boolean> | null = null

/**
 * Exchanges the refresh token for new tokens, once for all concurrent callers in all tabs. False if that
 * fails; if the token was rejected, the session is ended on the page as well. `since` is when the rejected
 * request was sent (epoch ms): newer tokens than that need no refresh.
 */
export async function refreshSession(since: number): Promise<boolean> {
  if (renewedAt >= since) return signedInUser() !== null
  pendingRefresh ??= refreshAcrossTabs()
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
  const since = Date.now()
  const response = await fetch(input, init)
  if (signedInUser() === null || !(await lacksToken(response, init))) return response
  return (await refreshSession(since)) ? fetch(input, init) : response
}

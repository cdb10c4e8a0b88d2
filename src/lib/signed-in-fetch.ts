import { endSession, signedInUser } from './session.ts'
import { channelToTabs } from './storage.ts'

const LOCK = 'session-refresh'
const NEEDS_TOKEN = new Set<unknown>(['sign_in_required', 'session_ended'])

/** When this tab last knew of new tokens, whichever tab had asked for them; epoch milliseconds. */
let renewedAt = 0
const otherTabs = channelToTabs('session-refresh')
otherTabs.addEventListener('message', () => {
  renewedAt = Date.now()
})

let leftBecause: string | null = null

/** Why the server said the session is over when it last refused new tokens; it tells only staff. */
export function whyLeft(): string | null {
  return leftBecause
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

async function askForTokens(): Promise<boolean> {
  const answer = await fetch('/trpc/auth.refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  if (answer.status === 401) {
    leftBecause = await reasonIn(answer)
    // Not with the first page: the schemas of accounts weigh more than everything in this file.
    const { SIGNED_OUT_KEYS } = await import('#contract/auth.ts')
    endSession(SIGNED_OUT_KEYS)
  }
  if (answer.ok) {
    renewedAt = Date.now()
    // A channel is of one origin by itself; only windows are told a target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    otherTabs.postMessage('renewed')
  }
  return answer.ok
}

/** A refresh token is good for one use, so of all tabs that want to, one does it. */
async function refreshAcrossTabs(): Promise<boolean> {
  if (!('locks' in navigator)) return askForTokens()
  let isRefreshed: boolean | null = null
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock !== null) isRefreshed = await askForTokens()
  })
  if (isRefreshed !== null) return isRefreshed
  // Another tab is at it. Its new cookies are this tab's as well.
  await navigator.locks.request(LOCK, { mode: 'shared' }, () => Promise.resolve())
  return signedInUser() !== null
}

let underWay: Promise<boolean> | null = null

/**
 * Trades the refresh token for a new pair, once for everybody who asks meanwhile, in all tabs. False
 * when there is nothing to trade: then the session is over, and the page knows it. `since` is when
 * the request that was refused was sent (epoch ms): newer tokens than that are there already.
 */
export async function refreshSession(since: number): Promise<boolean> {
  if (renewedAt >= since) return signedInUser() !== null
  underWay ??= refreshAcrossTabs()
  try {
    return await underWay
  } finally {
    underWay = null
  }
}

function codeOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return null
  if ('code' in answer) return answer.code
  const { error } = answer as { error?: { data?: { appCode?: unknown } } }
  return error?.data?.appCode
}

/** Whether an answer says that the access token is gone, in the words of tRPC or of REST. */
async function lacksToken(response: Response, init: RequestInit): Promise<boolean> {
  // Of a batch of writes some may have been done: only one that failed whole may be sent again.
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
 * `fetch` for whoever is signed in: when the access token (ten minutes) has run out it is renewed
 * and the request is sent once more. `init.body` must not be a stream.
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

import type { ErrorCode, FieldIssue } from '#contract/errors.ts'
import { ApiError } from './api-error.ts'

export type Kind = 'query' | 'mutation'

/** One call as it is sent; it keeps its key however often that is. */
export type Sending = {
  kind: Kind
  path: string
  input: unknown
  /** Token of the Authorization header. */
  bearer: string | null
  /** Under which a write is done once; null when the server would not honour one. */
  key: string | null
  signal: AbortSignal | undefined
  /** Milliseconds for each try. */
  timeoutMs: number
}

export type TransportOptions = {
  /** Without a slash at the end. */
  url: string
  fetch: typeof fetch
  /** Tries after the first one. */
  retries: number
  /** Longest pause between two tries, in milliseconds; who is to wait longer is told instead. */
  maxWaitMs: number
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const FIRST_PAUSE_MS = 500

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function requestOf(
  { kind, path, input, bearer, key }: Sending,
  url: string,
): [string, RequestInit] {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (bearer !== null) headers['authorization'] = `Bearer ${bearer}`
  const text = JSON.stringify(input ?? {})
  if (kind === 'query') {
    return [`${url}/trpc/${path}?input=${encodeURIComponent(text)}`, { headers }]
  }
  headers['content-type'] = 'application/json'
  if (key !== null) headers['idempotency-key'] = key
  return [`${url}/trpc/${path}`, { method: 'POST', headers, body: text }]
}

function issuesIn(value: unknown): FieldIssue[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((issue: unknown) =>
    isObject(issue) ? [{ path: String(issue['path']), message: String(issue['message']) }] : [],
  )
}

function detailsIn(value: unknown): Record<string, string | number> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      typeof one === 'string' || typeof one === 'number' ? [[key, one]] : [],
    ),
  )
}

/** The server's list of codes is closed, and it sends nothing else. */
function isCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && /^[a-z_]+$/.test(value)
}

function failureOf(response: Response, error: unknown): ApiError {
  const data = isObject(error) && isObject(error['data']) ? error['data'] : {}
  const code = data['appCode']
  if (!isObject(error) || !isCode(code)) {
    const message = 'The answer could not be read. Is this the address of an Apposite server?'
    return new ApiError({ code: 'unreadable', message, status: response.status })
  }
  const seconds = response.headers.get('retry-after')
  return new ApiError({
    code,
    message: String(error['message']),
    status: response.status,
    requestId: String(data['requestId']),
    details: detailsIn(data['details']),
    issues: issuesIn(data['issues']),
    retryAfterSeconds: seconds === null ? null : Number(seconds),
  })
}

function unanswered(error: unknown, { path, timeoutMs }: Sending): ApiError {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  return new ApiError({
    code: isLate ? 'timed_out' : 'unreachable',
    message: isLate
      ? `${path} was not answered within ${timeoutMs / 1_000} seconds.`
      : 'The server could not be reached. Check its address and your network.',
    status: 0,
    cause: error,
  })
}

async function sendOnce(sending: Sending, { url, fetch }: TransportOptions): Promise<unknown> {
  const [address, init] = requestOf(sending, url)
  sending.signal?.throwIfAborted()
  const limit = AbortSignal.timeout(sending.timeoutMs)
  const signal = sending.signal ? AbortSignal.any([sending.signal, limit]) : limit
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...init, signal })
    text = await response.text()
  } catch (error) {
    sending.signal?.throwIfAborted()
    throw unanswered(error, sending)
  }
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    throw failureOf(response, null)
  }
  if (isObject(body) && isObject(body['result'])) return body['result']['data']
  throw failureOf(response, isObject(body) ? body['error'] : null)
}

/** Whether sending once more can do no harm: nothing was done, or it is done once only. */
function mayRepeat(error: ApiError, { kind, key }: Sending): boolean {
  if (error.status === 429) return true
  if (error.code === 'key_running') return key !== null
  const isUnknown = error.code === 'unreachable' || error.code === 'timed_out'
  return (error.status === 503 || isUnknown) && (kind === 'query' || key !== null)
}

/** Milliseconds until the next try: what the server asked for, or twice as long each time. */
function pauseBefore(tried: number, { retryAfterSeconds }: ApiError): number {
  return retryAfterSeconds === null
    ? FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random() / 2)
    : retryAfterSeconds * 1_000
}

/** Sends a call, and again while that is safe and worth it. Throws `ApiError`, or the caller's abort. */
export async function send(sending: Sending, options: TransportOptions): Promise<unknown> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await sendOnce(sending, options)
    } catch (error) {
      if (!(error instanceof ApiError) || !mayRepeat(error, sending)) throw error
      const ms = pauseBefore(tried, error)
      if (tried > options.retries || ms > options.maxWaitMs) throw error
      await options.wait(ms, sending.signal)
    }
  }
}

/** Waits, unless the caller gives up meanwhile. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const giveUp = () => {
      clearTimeout(timer)
      resolve()
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
  signal?.throwIfAborted()
}

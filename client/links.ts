import {
  type Operation,
  type OperationResultEnvelope,
  retryLink,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client'
import { observable, observableToPromise } from '@trpc/server/observable'
import type { AppRouter } from '#server/app-router.ts'
import { ApiError, apiErrorOf } from './api-error.ts'

/** The tokens of a signed-in user. */
export type Tokens = { access: string; refresh: string }

/** Half the life of an access token, which leaves time for retries. */
const RENEW_AFTER_MS = 5 * 60_000

/** Who a client acts as: the owner of an access token, a signed-in user, or a visitor. */
export class Session {
  readonly #token: string | null
  readonly #trade: (refresh: string) => Promise<Tokens | null>
  #tokens: Tokens | null = null
  /** Epoch milliseconds from which the access token is renewed before it is used. */
  #renewAt = 0
  #renewing: Promise<Tokens | null> | null = null

  /**
   * `token` is an access token of `/userProfile`, which is never refreshed; `trade` exchanges a refresh token
   * for a new pair, or returns null when the session has ended.
   */
  constructor(token: string | null, trade: (refresh: string) => Promise<Tokens | null>) {
    this.#token = token
    this.#trade = trade
  }

  /**
   * Token for the Authorization header; null for a visitor. An old access token is renewed first: with an
   * expired one, calls that are open to visitors would be made as a visitor.
   */
  async bearer(): Promise<string | null> {
    if (this.#token !== null || this.#tokens === null) return this.#token
    const { access } = this.#tokens
    return Date.now() < this.#renewAt ? access : this.renew(access)
  }

  begin(tokens: Tokens | null): void {
    this.#tokens = tokens
    this.#renewAt = Date.now() + RENEW_AFTER_MS
  }

  /**
   * Forgets the session and returns its refresh token, so that the server can be told: its access token may
   * have expired.
   */
  end(): string | null {
    const refresh = this.#tokens?.refresh ?? null
    this.#tokens = null
    return refresh
  }

  /**
   * The access token that replaces `spent`, or null when the session has ended. A refresh token works once:
   * concurrent callers wait for the same pair.
   */
  async renew(spent: string): Promise<string | null> {
    const before = this.#tokens
    if (before?.access !== spent) return before?.access ?? null
    this.#renewing ??= this.#trade(before.refresh)
    try {
      const renewed = await this.#renewing
      // The user may have signed out meanwhile.
      if (this.#tokens === before) this.begin(renewed)
    } finally {
      this.#renewing = null
    }
    return this.#tokens?.access ?? null
  }
}

/** What the links pass to each other about a call, as tRPC's operation context. */
export type CallContext = {
  /** Token of the Authorization header. */
  bearer?: string
  /** Makes the server do a write once, however often it is sent. */
  idempotencyKey?: string
  /** Milliseconds for each try. */
  timeoutMs?: number
  /** Milliseconds to wait before the next try. */
  pauseMs?: number
}

export type RetryOptions = {
  /** Tries after the first one. */
  retries: number
  /**
   * Longest pause between two tries, in milliseconds; when the server asks for more, the call fails instead.
   */
  maxWaitMs: number
}

export type AttemptOptions = {
  /** Default milliseconds for each try. */
  timeoutMs: number
  /** Waits; rejects when the caller aborts meanwhile. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const FIRST_PAUSE_MS = 500

const NO_SESSION: ReadonlySet<string> = new Set(['sign_in_required', 'session_ended'])

/** The context of a call as our links wrote it. */
export function contextOf({ context }: Operation): CallContext {
  return context
}

type Result = OperationResultEnvelope<unknown, TRPCClientError<AppRouter>>

/** A link as an async function; `forward` passes the call on, as often as it is called. */
function asyncLink(
  run: (op: Operation, forward: (op: Operation) => Promise<Result>) => Promise<Result>,
): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const call = async () => {
          try {
            observer.next(await run(op, (changed) => observableToPromise(next(changed))))
            observer.complete()
          } catch (error) {
            observer.error(TRPCClientError.from(error instanceof Error ? error : { error }))
          }
        }
        void call()
      })
}

function isSessionOver(error: unknown): boolean {
  const cause = error instanceof TRPCClientError ? error.cause : null
  return cause instanceof ApiError && cause.status === 401 && NO_SESSION.has(cause.code)
}

/**
 * Sends the session's token, and an idempotency key with every write that takes one. When the access token
 * has expired it is refreshed, and the call is repeated with the same key.
 */
export function sessionLink(session: Session): TRPCLink<AppRouter> {
  return asyncLink(async (op, forward) => {
    const callContext = contextOf(op)
    const bearer = callContext.bearer ?? (await session.bearer())
    if (bearer === null) return forward(op)
    const isKeyed = op.type === 'mutation' && acceptsKey(op.path)
    const idempotencyKey = callContext.idempotencyKey ?? crypto.randomUUID()
    const send = (token: string) =>
      forward({
        ...op,
        context: { ...callContext, bearer: token, ...(isKeyed && { idempotencyKey }) },
      })
    try {
      return await send(bearer)
    } catch (error) {
      // A call that brought its own token is part of signing in or out.
      if (callContext.bearer !== undefined || !isSessionOver(error)) throw error
      const renewed = await session.renew(bearer)
      if (renewed === null) throw error
      return send(renewed)
    }
  })
}

/** Whether a retry is safe: nothing was done, or it is done only once. */
function mayRetry(error: ApiError, op: Operation): boolean {
  const hasKey = contextOf(op).idempotencyKey !== undefined
  if (error.status === 429) return true
  if (error.code === 'key_running') return hasKey
  const isUnknown = error.code === 'unreachable' || error.code === 'timed_out'
  return (error.status === 503 || isUnknown) && (op.type === 'query' || hasKey)
}

/** Milliseconds until the next try: what the server asked for, or twice as long each time. */
function retryDelay(tried: number, { retryAfterSeconds }: ApiError): number {
  return retryAfterSeconds === null
    ? FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random() / 2)
    : retryAfterSeconds * 1_000
}

/** Retries what may be retried. The pause is left to `attemptLink`: it depends on the server's response. */
export function retryingLink({ retries, maxWaitMs }: RetryOptions): TRPCLink<AppRouter> {
  return retryLink<AppRouter>({
    retry: ({ op, error: { cause }, attempts }) => {
      if (!(cause instanceof ApiError) || !mayRetry(cause, op)) return false
      const pauseMs = retryDelay(attempts, cause)
      op.context['pauseMs'] = pauseMs
      return attempts <= retries && pauseMs <= maxWaitMs
    },
  })
}

/** One try: waits first if it is a retry, limits its time, and reports failures as `ApiError`. */
export function attemptLink({ timeoutMs: defaultMs, wait }: AttemptOptions): TRPCLink<AppRouter> {
  return asyncLink(async (op, forward) => {
    const { pauseMs, timeoutMs = defaultMs } = contextOf(op)
    const callerSignal = op.signal ?? undefined
    if (pauseMs !== undefined) await wait(pauseMs, callerSignal)
    callerSignal?.throwIfAborted()
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      return await forward({
        ...op,
        signal: callerSignal ? AbortSignal.any([callerSignal, limit]) : limit,
      })
    } catch (error) {
      callerSignal?.throwIfAborted()
      if (!limit.aborted) throw apiErrorOf(error)
      const message = `${op.path} was not answered within ${timeoutMs / 1_000} seconds.`
      throw new ApiError({ code: 'timed_out', message, status: 0, cause: error })
    }
  })
}

/** Waits `ms`; rejects with the caller's reason if they abort meanwhile. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}

/** The server stores no response of these, so an idempotency key has no effect. */
const NEVER_STORED = /^((auth|audit)\..*|accessTokens\.create|erasure\.erase|profiles\.exportData)$/

/** Whether a write of a signed-in user is done once under an idempotency key. */
export function acceptsKey(path: string): boolean {
  return !NEVER_STORED.test(path)
}

/** Longest input that is sent in a URL, in characters as encoded: some servers take 2,000 in all. */
const MAX_INPUT_LENGTH = 1_800

/** Whether an input is too long for the URL of a read, which then goes by POST. */
export function isLongInput(input: unknown): boolean {
  if (input === undefined) return false
  return encodeURIComponent(JSON.stringify(input)).length > MAX_INPUT_LENGTH
}

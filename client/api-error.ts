import { TRPCClientError } from '@trpc/client'
import type { ErrorCode, FieldIssue } from '#contract/base/errors.ts'
import type { AppRouter } from '#server/app-router.ts'

/** Codes of failures that the client itself detects. */
export type OwnCode = 'unreachable' | 'timed_out' | 'unreadable'

type Facts = {
  code: ErrorCode | OwnCode
  message: string
  status: number
  requestId?: string
  details?: Record<string, string | number>
  issues?: FieldIssue[]
  retryAfterSeconds?: number | null
  cause?: unknown
}

/**
 * Every failure of a call, apart from the caller's own abort. `code` is stable and for programs,
 * `message` a sentence for people, `requestId` what to quote to whoever runs the server.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode | OwnCode
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** Empty when there was no response. */
  readonly requestId: string
  readonly details: Record<string, string | number>
  /** What is wrong with single fields of the input. */
  readonly issues: FieldIssue[]
  /** After how many seconds the server asks for a retry; null when it did not say. */
  readonly retryAfterSeconds: number | null

  constructor(facts: Facts) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId ?? ''
    this.details = facts.details ?? {}
    this.issues = facts.issues ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}

/** The response did not come from an Apposite server. `status` is its HTTP status. */
export function unreadableError(status: number): ApiError {
  const message = 'The response could not be read. Is this the address of an Apposite server?'
  return new ApiError({ code: 'unreadable', message, status })
}

function isClientError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError
}

/** Converts what tRPC's links threw in one try. */
export function apiErrorOf(error: unknown): ApiError {
  const cause = isClientError(error) ? error.cause : error
  if (cause instanceof ApiError) return cause
  const response = isClientError(error) ? error.meta?.['response'] : null
  if (!isClientError(error) || !(response instanceof Response)) {
    const message = 'The server could not be reached. Check its address and your network.'
    return new ApiError({ code: 'unreachable', message, status: 0, cause: error })
  }
  const { data } = error
  // Somebody else's server may speak tRPC too.
  if (typeof data?.appCode !== 'string') return unreadableError(response.status)
  const seconds = response.headers.get('retry-after')
  return new ApiError({
    code: data.appCode,
    message: error.message,
    status: response.status,
    requestId: data.requestId,
    details: data.details,
    issues: data.issues,
    retryAfterSeconds: seconds === null ? null : Number(seconds),
  })
}

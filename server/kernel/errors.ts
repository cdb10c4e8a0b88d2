import type { ErrorCode, FieldIssue } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { ErrorDetails } from '#contract/errors/error-table.ts'

type ErrorExtras = { issues?: FieldIssue[]; cause?: unknown }

/** A failure the caller can act on: one code of the closed list and the facts its sentence names. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly issues: FieldIssue[]

  constructor(code: ErrorCode, details: ErrorDetails = {}, extras: ErrorExtras = {}) {
    super(errorMessage(code, details), { cause: extras.cause })
    this.code = code
    this.details = details
    this.issues = extras.issues ?? []
  }
}

/** Whether an error says that a limit was used up. */
export function isRateLimited(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'rate_limited'
}

/** Whether an error says that a budget for emails was used up. */
export function isTooManyEmails(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'too_many_emails'
}

/** An external service is down or its response is invalid; a retry may help. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly service: string

  constructor(service: string, cause: unknown) {
    super(`${service} did not answer as it should.`, { cause })
    this.service = service
  }
}

/** The error text an external service sent instead of a response: one line of plain text. */
export class UpstreamWords extends Error {
  override readonly name = 'UpstreamWords'
}

/**
 * A payment gateway understood a request and refused it: an identical retry never succeeds. A request without
 * a usable response is an `UpstreamError`.
 */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  /** The gateway's error code, such as `REFUND_TIME_LIMIT_EXCEEDED`. */
  readonly reason: string
  /** The gateway replays this error for the same idempotency key; a new key may succeed. */
  readonly isKept: boolean

  constructor(reason: string, { cause, isKept = false }: { cause: unknown; isKept?: boolean }) {
    super(`The gateway refused for good: ${reason}`, { cause })
    this.reason = reason
    this.isKept = isKept
  }
}

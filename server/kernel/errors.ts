import type { ErrorCode, ErrorDetails, FieldIssue } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'

type Extras = { issues?: FieldIssue[]; cause?: unknown }

/** A failure the caller can act on: one code of the closed list and the facts its sentence names. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly issues: FieldIssue[]

  constructor(code: ErrorCode, details: ErrorDetails = {}, extras: Extras = {}) {
    super(sentenceFor(code, details), { cause: extras.cause })
    this.code = code
    this.details = details
    this.issues = extras.issues ?? []
  }
}

/** Somebody else's service is down or answered nonsense; trying again later may help. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly service: string

  constructor(service: string, cause: unknown) {
    super(`${service} did not answer as it should.`, { cause })
    this.service = service
  }
}

/** What somebody else's service said in the place of an answer: one line of plain text. */
export class UpstreamWords extends Error {
  override readonly name = 'UpstreamWords'
}

/**
 * A payment gateway understood a request and refused it: repeated, the very same request never
 * succeeds. One that was not answered, or not understood, is an `UpstreamError`.
 */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal'
  /** The gateway's own word, such as `REFUND_TIME_LIMIT_EXCEEDED`. */
  readonly reason: string
  /** An error of the gateway's that it keeps under the idempotency key: under another it may succeed. */
  readonly isKept: boolean

  constructor(reason: string, { cause, isKept = false }: { cause: unknown; isKept?: boolean }) {
    super(`The gateway refused for good: ${reason}`, { cause })
    this.reason = reason
    this.isKept = isKept
  }
}

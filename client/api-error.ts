import type { ErrorCode, FieldIssue } from '#contract/errors.ts'

/** What went wrong before the server could say so. */
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
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Empty when there was no answer. */
  readonly requestId: string
  readonly details: Record<string, string | number>
  /** What is wrong with single fields of the input. */
  readonly issues: FieldIssue[]
  /** When the server wants to be asked again; null when it did not say. */
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

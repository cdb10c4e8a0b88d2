import { ErrorCode } from '#contract/errors.ts'
import { errorMessage } from '#contract/sentences.ts'

/** An error response from a path outside tRPC, with its code where `describeFailure` looks for it. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal'
  readonly data: object

  /** `answer` is the body of the error response. */
  constructor(answer: unknown) {
    const { code, request_id: requestId } = (answer ?? {}) as {
      code?: unknown
      request_id?: unknown
    }
    const parsed = ErrorCode.safeParse(code)
    const appCode = parsed.success ? parsed.data : 'internal'
    super(errorMessage(appCode))
    this.data = {
      appCode,
      details: {},
      issues: [],
      requestId: typeof requestId === 'string' ? requestId : '',
    }
  }
}

import { ErrorCode } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'

/** A refusal of a path that is no procedure, with its code where `describeFailure` looks for one. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal'
  readonly data: object

  /** `answer` is the body that came with a failure. */
  constructor(answer: unknown) {
    const { code, request_id: requestId } = (answer ?? {}) as {
      code?: unknown
      request_id?: unknown
    }
    const parsed = ErrorCode.safeParse(code)
    const appCode = parsed.success ? parsed.data : 'internal'
    super(sentenceFor(appCode))
    this.data = {
      appCode,
      details: {},
      issues: [],
      requestId: typeof requestId === 'string' ? requestId : '',
    }
  }
}

import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { failureOf } from '#server/failures.ts'
import { AppError } from '#server/kernel/errors.ts'
import { loggedPath } from '#server/pages/secret-paths.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/** A locked database is free again within seconds. */
const BUSY_RETRY_SECONDS = 2

/** Seconds until a refused request is worth sending again; 0 when waiting would not help. */
export function retryAfterSeconds(status: number, { details }: AppError): number {
  return Number(details['retryAfterSeconds'] ?? (status === 503 ? BUSY_RETRY_SECONDS : 0))
}

/** The message for the client: the only issue, or the code's own sentence. */
function sentenceOf({ code, message, issues: [first] }: AppError): string {
  const isSaidThere = code === 'invalid_input' || code === 'not_found'
  return isSaidThere && first !== undefined ? first.message : message
}

/** A thrown error, and further fields that repeat its sentence. */
type Failed = { error: unknown; path?: string; words?: readonly string[] }

/** The response to a failed request outside tRPC: the documented fields, plus a code and the request id. */
export function errorResponse(c: HttpContext, failed: Failed): Response {
  const { error, path = loggedPath(c.req.path), words = [] } = failed
  const { ctx } = c.var
  const { failure, status } = failureOf(error, { ctx, path })
  const seconds = retryAfterSeconds(status, failure)
  if (seconds > 0) c.header('retry-after', String(seconds))
  // Closes the connection instead of waiting for the rest of an oversized body.
  if (status === 413) c.header('connection', 'close')
  const sentence = sentenceOf(failure)
  return c.json(
    {
      status: false,
      error: sentence,
      ...Object.fromEntries(words.map((word) => [word, sentence])),
      code: failure.code,
      request_id: ctx.requestId,
      ...(failure.issues.length === 0 ? {} : { issues: failure.issues }),
    },
    // tRPC's table of statuses holds no others.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    status as ContentfulStatusCode,
  )
}

/** Responds with 404. */
export const notFound: Middleware = (c) =>
  Promise.resolve(errorResponse(c, { error: new AppError('not_found') }))

/** Responds with 405; `allow` lists the supported methods. */
export function methodNotAllowed(allow: string): Middleware {
  return (c) => {
    c.header('allow', allow)
    return Promise.resolve(errorResponse(c, { error: new AppError('method_not_allowed') }))
  }
}

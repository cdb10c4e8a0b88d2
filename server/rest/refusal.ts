import { sentenceFor } from '#contract/sentences.ts'
import type { Context } from '#server/context.ts'
import { type Answers, BUSY_RETRY_SECONDS, type HeaderMap } from '#server/kernel/answer.ts'
import type { AppError } from '#server/kernel/errors.ts'
import { failureOf } from '#server/procedures.ts'
import type { ProcedureCall } from './call.ts'

/** What a documented client shows: the one thing that is wrong, or the code's own sentence. */
function sentenceOf({ code, message, issues: [first] }: AppError): string {
  const isSaidThere = code === 'invalid_input' || code === 'not_found'
  if (!isSaidThere || first === undefined) return message
  // Nothing is highlighted where a program calls: the field is named instead.
  const isBare = first.message === sentenceFor('invalid_input') && first.path !== ''
  return isBare ? `Check the field ${first.path}.` : first.message
}

function headersFor(status: number, failure: AppError): HeaderMap {
  const headers: HeaderMap = {}
  const seconds = failure.details['retryAfterSeconds'] ?? (status === 503 ? BUSY_RETRY_SECONDS : 0)
  if (Number(seconds) > 0) headers['retry-after'] = String(seconds)
  // What is left of an oversized body is not waited for.
  if (status === 413) headers['connection'] = 'close'
  return headers
}

type Refused = { ctx: Context; call: ProcedureCall; error: unknown }

/** The answer to a call that failed: the documented fields, and a code and a reference beside them. */
export function refusalOf(answers: Answers, { ctx, call, error }: Refused): Response {
  const { failure, status } = failureOf(error, { ctx, path: call.path })
  const sentence = sentenceOf(failure)
  const body = {
    status: false,
    error: sentence,
    ...Object.fromEntries(call.words.map((word) => [word, sentence])),
    code: failure.code,
    request_id: ctx.requestId,
    ...(failure.issues.length === 0 ? {} : { issues: failure.issues }),
  }
  return answers.send(status, JSON.stringify(body), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': ctx.requestId,
    ...headersFor(status, failure),
  })
}

import { arrivedContext, withSession } from './asking.ts'
import type { Services, SignedIn } from './context.ts'
import type { Answers, HeaderMap } from './kernel/answer.ts'
import { readBytes } from './kernel/body.ts'
import { AppError } from './kernel/errors.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { failureOf } from './procedures.ts'
import { auditDenial } from './trpc.ts'
import { assertType, bareType, enterDoor, type Upload } from './uploads.ts'

type Asked = { request: Request; network: string }

async function take(services: Services, upload: Upload, asked: Asked): Promise<object> {
  const { request, network } = asked
  const ctx = await withSession(services, arrivedContext(services, request, network))
  let signedIn: SignedIn
  try {
    if (!isOwnRequest(request, services.config)) {
      spend(ctx, 'all')
      throw new AppError('foreign_origin')
    }
    signedIn = enterDoor(ctx, upload)
  } catch (error) {
    await auditDenial(ctx, upload.path, error)
    throw error
  }
  assertType(upload, bareType(request.headers.get('content-type')))
  return upload.take(signedIn, await readBytes(request, upload.max, upload.tooLarge))
}

/** Answers POST requests to one of the doors, whose body is the file itself. */
export function makeUpload(services: Services, answers: Answers, upload: Upload) {
  return async (request: Request, network: string): Promise<Response> => {
    try {
      const taken = await take(services, upload, { request, network })
      return answers.send(201, JSON.stringify(taken), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
    } catch (thrown) {
      const ctx = arrivedContext(services, request, network)
      const { failure, status } = failureOf(thrown, { ctx, path: upload.path })
      const headers: HeaderMap = failure.code === upload.tooLarge ? { connection: 'close' } : {}
      const seconds = failure.details['retryAfterSeconds']
      if (seconds !== undefined) headers['retry-after'] = String(seconds)
      return answers.failure(status, failure.code, {
        requestId: ctx.requestId,
        details: failure.details,
        headers,
      })
    }
  }
}

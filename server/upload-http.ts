import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { PHOTO_MAX, PHOTO_PATH, PHOTO_TYPES } from '#contract/profiles.ts'
import { readSession } from './auth/read-session.ts'
import { makeContext, type Services, type SignedIn } from './context.ts'
import type { Answers, HeaderMap } from './kernel/answer.ts'
import { readBytes } from './kernel/body.ts'
import { readClient } from './kernel/client.ts'
import { AppError } from './kernel/errors.ts'
import { randomText } from './kernel/ids.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { setPhoto } from './profiles/set-photo.ts'
import { auditDenial, toTrpcError } from './trpc.ts'

const allowedTypes = new Set<string>(PHOTO_TYPES)

/** Who uploads; the same refusals in the same order as in front of a procedure. */
async function admit(services: Services, request: Request, network: string): Promise<SignedIn> {
  const client = readClient(request.headers)
  const token = client.cookies.get('access_token') ?? client.bearer
  const found = token === null ? null : await readSession(services, token)
  const ctx = makeContext(services, {
    viewer: found?.viewer ?? { kind: 'visitor' },
    session: found?.session ?? null,
    requestId: randomText(10),
    network,
    client,
  })
  const { session } = ctx
  try {
    spend(ctx, 'all')
    if (!isOwnRequest(request, services.config)) throw new AppError('foreign_origin')
    if (session === null) throw new AppError('sign_in_required')
    if (session.kind === 'staff') throw new AppError('forbidden')
    if (session.mustSetSecondFactor) throw new AppError('second_factor_setup_required')
    spend(ctx, 'upload')
  } catch (error) {
    await auditDenial(ctx, PHOTO_PATH, error)
    throw error
  }
  return { ...ctx, session }
}

async function take(services: Services, request: Request, network: string) {
  const ctx = await admit(services, request, network)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!allowedTypes.has(type)) throw new AppError('image_type')
  return setPhoto(ctx, await readBytes(request, PHOTO_MAX, 'image_too_large'))
}

/** Answers POST /upload/profile-photo, whose body is the picture itself. */
export function makePhotoUpload(services: Services, answers: Answers) {
  return async (request: Request, network: string): Promise<Response> => {
    try {
      return answers.send(201, JSON.stringify(await take(services, request, network)), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
    } catch (thrown) {
      const ctx = makeContext(services, {
        viewer: { kind: 'visitor' },
        requestId: randomText(10),
        network,
      })
      const error = toTrpcError(thrown, { ctx, path: PHOTO_PATH })
      const failure = error.cause instanceof AppError ? error.cause : new AppError('internal')
      const headers: HeaderMap = failure.code === 'image_too_large' ? { connection: 'close' } : {}
      const seconds = failure.details['retryAfterSeconds']
      if (seconds !== undefined) headers['retry-after'] = String(seconds)
      return answers.failure(getHTTPStatusCodeFromError(error), failure.code, {
        requestId: ctx.requestId,
        details: failure.details,
        headers,
      })
    }
  }
}

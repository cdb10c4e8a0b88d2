import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { readSession } from './auth/read-session.ts'
import { type Context, makeContext, type Services } from './context.ts'
import type { Answers } from './kernel/answer.ts'
import { readClient } from './kernel/client.ts'
import { AppError } from './kernel/errors.ts'
import { randomText } from './kernel/ids.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { auditDenial, toTrpcError } from './trpc.ts'
import { readDocument, type SentDocument } from './verification/read-document.ts'

/** Whatever is in a file, opened it may do nothing at all. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

async function contextOf(services: Services, request: Request, network: string): Promise<Context> {
  const client = readClient(request.headers)
  const token = client.cookies.get('access_token') ?? client.bearer
  const found = token === null ? null : await readSession(services, token)
  return makeContext(services, {
    viewer: found?.viewer ?? { kind: 'visitor' },
    session: found?.session ?? null,
    requestId: randomText(10),
    network,
    client,
  })
}

/** The same refusals in the same order as in front of a procedure. */
function read(ctx: Context, request: Request, id: string): Promise<SentDocument> {
  const { viewer, session } = ctx
  spend(ctx, 'all')
  // A view is written down: another site may not have somebody's browser leave such traces.
  if (!isOwnRequest(request, ctx.config)) throw new AppError('foreign_origin')
  if (viewer.kind === 'visitor' || session === null) throw new AppError('sign_in_required')
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
  if (session.mustSetSecondFactor) throw new AppError('second_factor_setup_required')
  return readDocument({ ...ctx, viewer }, id)
}

/** Answers GET requests for the document of a company: always an attachment, in a sandbox. */
export function makeDocumentDownload(services: Services, answers: Answers) {
  return async (request: Request, id: string, network: string): Promise<Response> => {
    const ctx = await contextOf(services, request, network)
    try {
      const { bytes, type, name } = await read(ctx, request, id)
      return answers.send(200, new Uint8Array(bytes), {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
      })
    } catch (thrown) {
      await auditDenial(ctx, DOCUMENT_VIEW_PATH, thrown)
      const error = toTrpcError(thrown, { ctx, path: DOCUMENT_VIEW_PATH })
      const failure = error.cause instanceof AppError ? error.cause : new AppError('internal')
      return answers.failure(getHTTPStatusCodeFromError(error), failure.code, {
        requestId: ctx.requestId,
        details: failure.details,
      })
    }
  }
}

import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { arrivedContext, withSession } from './asking.ts'
import type { Context, Services } from './context.ts'
import type { Answers } from './kernel/answer.ts'
import { AppError } from './kernel/errors.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { assertAlive, assertScope } from './kernel/token-scopes.ts'
import { auditDenial, toTrpcError } from './trpc.ts'
import { readDocument, type SentDocument } from './verification/read-document.ts'

/** Whatever is in a file, opened it may do nothing at all. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** The same refusals in the same order as in front of a procedure. */
function read(ctx: Context, request: Request, id: string): Promise<SentDocument> {
  const { viewer, session } = ctx
  spend(ctx, 'all')
  assertAlive(ctx.token)
  // A view is written down: another site may not have somebody's browser leave such traces.
  if (!isOwnRequest(request, ctx.config)) throw new AppError('foreign_origin')
  if (viewer.kind === 'visitor' || session === null) throw new AppError('sign_in_required')
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
  assertScope(ctx.token, DOCUMENT_VIEW_PATH)
  if (session.mustSetSecondFactor) throw new AppError('second_factor_setup_required')
  return readDocument({ ...ctx, viewer }, id)
}

/** Answers GET requests for the document of a company: always an attachment, in a sandbox. */
export function makeDocumentDownload(services: Services, answers: Answers) {
  return async (request: Request, id: string, network: string): Promise<Response> => {
    const ctx = await withSession(services, arrivedContext(services, request, network))
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

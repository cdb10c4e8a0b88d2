import { whoMay } from '#contract/staff.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { arrivedContext, withSession } from './asking.ts'
import type { Context, Services } from './context.ts'
import type { AccessRow } from './kernel/access.ts'
import type { Answers } from './kernel/answer.ts'
import { AppError } from './kernel/errors.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { failureOf } from './procedures.ts'
import { auditDenial, refuseUnlessAllowed } from './trpc.ts'
import { readDocument, type SentDocument } from './verification/read-document.ts'

/** Whatever is in a file, opened it may do nothing at all. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** Who may have the document, as for a procedure. */
const row: AccessRow = whoMay('verify')

function read(ctx: Context, request: Request, id: string): Promise<SentDocument> {
  // A view is written down: another site may not have somebody's browser leave such traces.
  if (!isOwnRequest(request, ctx.config)) {
    spend(ctx, 'all')
    throw new AppError('foreign_origin')
  }
  refuseUnlessAllowed(ctx, DOCUMENT_VIEW_PATH, row)
  const { viewer } = ctx
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
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
      const { failure, status } = failureOf(thrown, { ctx, path: DOCUMENT_VIEW_PATH })
      return answers.failure(status, failure.code, {
        requestId: ctx.requestId,
        details: failure.details,
      })
    }
  }
}

import { Hono } from 'hono'
import { accessFor } from '#contract/staff.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { admit, audited } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import type { AccessRow } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type DocumentDownload,
  readDocument,
} from '#server/verification/company/company-document.ts'
import { sameOrigin } from './origin.ts'
import type { HttpEnv } from './request-context.ts'
import { session } from './session.ts'

/** An opened file may do nothing at all, whatever it contains. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** Who may read documents: a row as in the access matrix. */
const row: AccessRow = accessFor('verify')

function read(ctx: Context, id: string): Promise<DocumentDownload> {
  admit(ctx, DOCUMENT_VIEW_PATH, row)
  const { viewer } = ctx
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
  return readDocument({ ...ctx, viewer }, id)
}

/** The document of a company: always an attachment, in a sandbox. */
export function documentRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  // Views are audited, so another site must not be able to trigger them in somebody's browser.
  routes.get(`${DOCUMENT_VIEW_PATH}/:id`, sameOrigin, session, async (c) => {
    const { ctx } = c.var
    const id = c.req.param('id')
    const { bytes, type, name } = await audited(ctx, DOCUMENT_VIEW_PATH, () => read(ctx, id))
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': POLICY,
    })
  })
  return routes
}

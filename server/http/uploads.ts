import { Hono } from 'hono'
import { audited } from '#server/admission.ts'
import { admitUpload, assertType, signedIn, type Upload, uploads } from '#server/uploads.ts'
import { bareType, limitBody, readBytes } from './body.ts'
import { methodNotAllowed } from './errors.ts'
import { sameOrigin } from './origin.ts'
import type { HttpEnv, Middleware } from './request-context.ts'
import { session } from './session.ts'

/** Refuses callers without permission and wrong file types before the body is read. */
function admitted(upload: Upload): Middleware {
  return async (c, next) => {
    await audited(c.var.ctx, upload.path, () => admitUpload(c.var.ctx, upload))
    assertType(upload, bareType(c.req.header('content-type')))
    await next()
  }
}

function storeUpload(upload: Upload): Middleware {
  return async (c) => {
    const answer = await upload.take(signedIn(c.var.ctx), await readBytes(c))
    return c.json(answer, 201)
  }
}

/** The upload endpoints: the body of a request is the file itself. */
export function uploadRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const upload of uploads) {
    const { path, max, tooLarge } = upload
    const limited = limitBody(max, tooLarge)
    routes.post(path, sameOrigin, session, admitted(upload), limited, storeUpload(upload))
    routes.all(path, methodNotAllowed('POST'))
  }
  return routes
}

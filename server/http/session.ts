import { makeContext } from '#server/context.ts'
import { readViewer } from '#server/read-viewer.ts'
import type { Middleware } from './request-context.ts'

/** What open pages ask by themselves: it does not keep a session alive that nobody uses. */
const QUIET: ReadonlySet<string> = new Set(['/trpc/auth.sessionStatus'])

/** Reads whose session or access token a request came with; without either no query is made. */
export const session: Middleware = async (c, next) => {
  const { ctx } = c.var
  const { client, network, requestId, reply } = ctx
  const found = await readViewer(ctx, { client, network, isQuiet: QUIET.has(c.req.path) })
  if (found.session !== null || found.token !== null) {
    c.set('ctx', makeContext(ctx, { ...found, requestId, network, client, reply }))
  }
  await next()
}

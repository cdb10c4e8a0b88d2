import { readAccessToken } from '#server/access-tokens/read-access-token.ts'
import { readSession } from '#server/auth/sessions/read-session.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import { mustHaveSecondFactor } from '#server/kernel/demo-mode.ts'
import type { Client } from '#server/kernel/limits/client.ts'
import type { Middleware } from './request-context.ts'

/** Polled by open pages, so it must not keep an unused session alive. */
const PASSIVE_PATHS: ReadonlySet<string> = new Set(['/trpc/auth.sessionStatus'])

/** Resolves the session or access token of a request; without either no query is made. */
export const session: Middleware = async (c, next) => {
  const { ctx } = c.var
  const { client, network, requestId, reply } = ctx
  const found = await readViewer(ctx, { client, network, isQuiet: PASSIVE_PATHS.has(c.req.path) })
  if (found.session !== null || found.token !== null) {
    c.set('ctx', makeContext(ctx, { ...found, requestId, network, client, reply }))
  }
  await next()
}

type ViewerContext = Pick<Context, 'viewer' | 'session' | 'token'>

/**
 * The viewer of a request, the same for every transport: from its access token, or else from its session. A
 * request with an access token has no session, because `readClient` drops its cookies. Without either there
 * is no database query. A quiet request does not count as use of a session.
 */
export async function readViewer(
  services: Services,
  { client, network, isQuiet = false }: { client: Client; network: string; isQuiet?: boolean },
): Promise<ViewerContext> {
  const { accessToken } = client
  if (accessToken !== null) {
    return readAccessToken(services, {
      secret: accessToken,
      network,
      needsSecondFactor: (kind) => mustHaveSecondFactor(services.config, kind),
    })
  }
  const token = client.cookies.get('access_token') ?? client.bearer
  const found = token === null ? null : await readSession(services, token, isQuiet)
  return { viewer: { kind: 'visitor' }, session: null, ...found, token: null }
}

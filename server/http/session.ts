import { readAccessToken } from '#server/access-tokens/read-access-token.ts'
import { readSession } from '#server/auth/sessions/read-session.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import { mustHaveSecondFactor } from '#server/kernel/demo-mode.ts'
import type { Client } from '#server/kernel/limits/client.ts'
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

type Asking = Pick<Context, 'viewer' | 'session' | 'token'>

/**
 * Who sends a request, the same for every transport: whoever an access token stands for, or else
 * whose session it is. A request with an access token has no session beside it: `readClient` drops
 * the cookies that came along. Without either nothing is asked of the database. A quiet request does
 * not count as use of a session.
 */
export async function readViewer(
  services: Services,
  { client, network, isQuiet = false }: { client: Client; network: string; isQuiet?: boolean },
): Promise<Asking> {
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

import { Hono } from 'hono'
import { UNSUBSCRIBE_PATH } from '#contract/reminders.ts'
import { unsubscribe } from '#server/reminders/unsubscribe.ts'
import { budget } from './budget.ts'
import type { HttpEnv } from './request-context.ts'

/**
 * One-click unsubscribe from mail programs (RFC 8058): a POST from anywhere, without cookies, authorized by
 * the token alone. Its body is not read. A GET of the same address is a page of the site that asks for
 * confirmation, because email scanners open links.
 */
export function unsubscribeRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  routes.post(`${UNSUBSCRIBE_PATH}/:token`, budget('page'), async (c) => {
    await unsubscribe(c.var.ctx, { token: c.req.param('token') })
    return c.text('You won’t get reminders any more.\n')
  })
  return routes
}

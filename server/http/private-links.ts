import { Hono } from 'hono'
import { FEED_PATH } from '#contract/calendars.ts'
import { STOP_MAIL_PATH, StopMailInput } from '#contract/messages.ts'
import { UNSUBSCRIBE_PATH, UnsubscribeInput } from '#contract/reminders.ts'
import { isUnchanged, readFeed } from '#server/calendars/feeds.ts'
import { assertNoNul, parseInput } from '#server/kernel/wire/input.ts'
import { stopMail } from '#server/messages/stop-mail.ts'
import { unsubscribe } from '#server/reminders/reminders.ts'
import type { HttpEnv } from './request-context.ts'
import { budget } from './route-guards.ts'

/** 256 random bits, as `secrets.token` writes them. */
const FEED = `${FEED_PATH}/:file{[A-Za-z0-9_-]{43}\\.ics}`

/** Calendars that programs poll. The address is the secret; cookies are ignored. */
export function calendarFeedRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  routes.get(FEED, budget('page'), async (c) => {
    const { text, etag } = await readFeed(c.var.ctx, c.req.param('file').slice(0, -'.ics'.length))
    c.header('etag', `W/${etag}`)
    c.header('cache-control', 'private, no-cache')
    c.header('referrer-policy', 'no-referrer')
    c.header('x-robots-tag', 'noindex')
    if (isUnchanged(c.req.header('if-none-match') ?? null, etag)) return c.body(null, 304)
    return c.body(text, 200, {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="apposite.ics"',
    })
  })
  return routes
}

/**
 * One-click unsubscribe from mail programs (RFC 8058): a POST from anywhere, without cookies, authorized by
 * the token alone. Its body is not read. A GET of the same address is a page of the site that asks for
 * confirmation, because email scanners open links.
 */
export function unsubscribeRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  routes.post(`${UNSUBSCRIBE_PATH}/:token`, budget('page'), async (c) => {
    const input = parseInput(UnsubscribeInput, { token: c.req.param('token') })
    assertNoNul(input)
    await unsubscribe(c.var.ctx, input)
    return c.text('You won’t get reminders any more.\n')
  })
  routes.post(`${STOP_MAIL_PATH}/:token`, budget('page'), async (c) => {
    const input = parseInput(StopMailInput, { token: c.req.param('token') })
    assertNoNul(input)
    await stopMail(c.var.ctx, input)
    return c.text('You won’t get these emails any more.\n')
  })
  return routes
}

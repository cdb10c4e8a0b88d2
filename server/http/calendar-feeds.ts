import { Hono } from 'hono'
import { FEED_PATH } from '#contract/calendars.ts'
import { readFeed } from '#server/calendars/read-feed.ts'
import { isUnchanged } from '#server/calendars/rules.ts'
import { budget } from './budget.ts'
import type { HttpEnv } from './request-context.ts'

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

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Services } from '#server/context.ts'
import { notFound } from './errors.ts'
import type { HttpEnv } from './request-context.ts'

const NAME = /^[0-9a-f]{32}\.webp$/

/** An opened picture may do nothing at all. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** A 304 replaces the headers of the cached copy, so it must carry the same strict policy. */
const revalidated = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] })

/** Stored pictures by the hash of their content; 404 for any other name. */
export function mediaRoutes({ config }: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  routes.get('/media/:name', revalidated, async (c, next) => {
    const name = c.req.param('name')
    if (!NAME.test(name)) return notFound(c, next)
    try {
      const body = new Uint8Array(await readFile(join(config.dataDir, 'media', name)))
      return c.body(body, 200, {
        'content-type': 'image/webp',
        'content-disposition': 'inline',
        'content-security-policy': POLICY,
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${name.slice(0, 32)}"`,
      })
    } catch {
      return notFound(c, next)
    }
  })
  return routes
}

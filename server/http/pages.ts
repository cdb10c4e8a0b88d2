import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { serveStatic } from 'hono/serve-static'
import type { Services } from '#server/context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { isSecretPath } from '#server/pages/secret-paths.ts'
import { makeSitePage } from '#server/pages/site-page.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import type { HttpEnv } from './request-context.ts'
import { budget } from './route-guards.ts'
import { securityHeaders } from './security-headers.ts'

/** The files of the build, and the pages of the site at every other address. */
export function pageRoutes(services: Services): Hono<HttpEnv> {
  const { config } = services
  const sitePage = makeSitePage(services)
  const routes = new Hono<HttpEnv>()
  routes.route('/', staticFiles(config))
  if (!hasDemoEntrance(config)) {
    routes.get('/', (c) => c.redirect('/home'))
  }
  // A missing script must be a 404, not an HTML page that fails with a syntax error.
  routes.get(FILES, budget('page'), notFound)
  routes.get('*', budget('page'), securityHeaders(config, { hasNonce: true }), async (c) => {
    const page = await sitePage(c)
    if (isSecretPath(new URL(c.req.url).pathname)) {
      page.headers.set('referrer-policy', 'no-referrer')
      page.headers.set('cache-control', 'no-store')
      page.headers.set('x-robots-tag', 'noindex')
    }
    return page
  })
  routes.all('*', methodNotAllowed('GET, HEAD'))
  return routes
}

/** The public files of the build; compressed copies are served only under the plain name. */
const FILES = '/:file{.+\\.(?:css|ico|js|json|png|svg|txt|webmanifest|webp|woff2|xml)}'

/** Names in this folder hold the hash of their content, so they never change. */
const IMMUTABLE = '/assets/'

/**
 * The bytes of a file; null when it is missing, or when a newer build has removed it under the running
 * server.
 */
async function contentOf(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch {
    return null
  }
}

/** The files of the build, in an encoding the client accepts. */
function staticFiles({ clientDir }: Config): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  const serve = serveStatic<HttpEnv>({
    root: clientDir,
    join,
    getContent: contentOf,
    precompressed: true,
    onFound(_path, c) {
      const isImmutable = c.req.path.startsWith(IMMUTABLE)
      c.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  routes.get(FILES, etag(), serve)
  return routes
}

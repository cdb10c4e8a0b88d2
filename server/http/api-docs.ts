import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { serveStatic } from 'hono/serve-static'
import type { HttpEnv } from './request-context.ts'
import { contentOf } from './static-files.ts'

const FILES = '/api/docs/:file{swagger-ui\\.css|swagger-ui-bundle\\.js}'

/** Swagger UI's script and style sheet, out of its package. */
export function apiDocsFiles(): Hono<HttpEnv> {
  const require = createRequire(import.meta.url)
  const serve = serveStatic<HttpEnv>({
    root: dirname(require.resolve('swagger-ui-dist/package.json')),
    join,
    getContent: contentOf,
    rewriteRequestPath: (path) => path.slice('/api/docs'.length),
    onFound: (_path, c) => c.header('cache-control', 'no-cache'),
  })
  const routes = new Hono<HttpEnv>()
  routes.get(FILES, etag(), serve)
  return routes
}

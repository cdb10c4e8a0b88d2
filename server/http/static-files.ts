import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { serveStatic } from 'hono/serve-static'
import type { Config } from '#server/kernel/config/config.ts'
import type { HttpEnv } from './request-context.ts'

/** What a build has for callers; the packed copies beside it go out under the plain name only. */
const SERVED = '/:file{.+\\.(?:css|ico|js|json|png|svg|txt|webmanifest|webp|woff2|xml)}'

/** Names in this folder hold the hash of their content, so they never change. */
const IMMUTABLE = '/assets/'

/** Null where there is no such file, or a newer build has taken it away under the running server. */
async function contentOf(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch {
    return null
  }
}

/** The files of the build, packed as the caller can read them. */
export function staticFiles({ clientDir }: Config): Hono<HttpEnv> {
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
  routes.get(SERVED, etag(), serve)
  return routes
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { budget } from './budget.ts'
import { type PrecompressedText, precompress, sendPrecompressed } from './precompressed.ts'
import type { HttpEnv } from './request-context.ts'

const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** Swagger UI's script and style sheet, from its package: 1.5 MB, compressed once. */
export function apiDocsFiles(): Hono<HttpEnv> {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
  const routes = new Hono<HttpEnv>()
  for (const [name, type] of Object.entries(FILES)) {
    let ready: Promise<PrecompressedText> | undefined
    routes.get(`/api/docs/${name}`, budget('page'), async (c) => {
      ready ??= readFile(join(folder, name), 'utf8').then(precompress)
      c.header('content-type', type)
      c.header('cache-control', 'no-cache')
      c.header('vary', 'accept-encoding')
      return sendPrecompressed(c, await ready)
    })
  }
  return routes
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { type PrecompressedText, precompress, sendPrecompressed } from '#server/http/compress.ts'
import type { HttpContext, HttpEnv } from '#server/http/request-context.ts'
import { budget } from '#server/http/route-guards.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { baseUrlFor, hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import type { OwnCall, RestCall } from './call.ts'

const own = { source: 'added', status: 200, refusals: [], procedures: [], method: 'GET' } as const
const room = 'The server'

/** Number of demo host names with a cached document; all others get the one for the public URL. */
const MAX_CACHED_BASES = 4

const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'api.md')

/** The base URL in the guide's source, replaced when it is served. */
const GUIDE_BASE = 'http://localhost:3000'

const NO_DEMO =
  'This installation is not a demo: email goes to its owner, and cards are real. Try the commands on a demo first.\n\n'

/** Swagger UI over `/openapi.json`, loading only files of our own site. */
const PAGE = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation - Apposite</title>
<meta name="description" content="Every path of Apposite: register, search, hold, pay, read the history, with commands you can run as they are.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api-docs.css">
<script src="/api/docs/swagger-ui-bundle.js" defer></script>
<script src="/api-docs.js" defer></script>
</head>
<body>
<main id="api"></main>
</body>
</html>
`

async function documentText(calls: readonly RestCall[], config: Config): Promise<string> {
  const [{ openApiOf }, guide] = await Promise.all([
    import('./openapi.ts'),
    readFile(GUIDE, 'utf8'),
  ])
  return JSON.stringify(openApiOf(calls, hasDemoEntrance(config) ? guide : NO_DEMO + guide))
}

async function send(
  c: HttpContext,
  type: string,
  text: Promise<PrecompressedText>,
): Promise<Response> {
  c.header('content-type', `${type}; charset=utf-8`)
  c.header('cache-control', 'no-cache')
  c.header('vary', 'accept-encoding')
  return sendPrecompressed(c, await text)
}

/** Caches the document per base URL. */
function documentCache(calls: () => readonly RestCall[], config: Config) {
  const cached = new Map<string, Promise<PrecompressedText>>()
  let text: Promise<string> | undefined
  return (url: string): Promise<PrecompressedText> => {
    const requested = baseUrlFor(config, url)
    const base =
      cached.has(requested) || cached.size < MAX_CACHED_BASES ? requested : config.publicUrl
    text ??= documentText(calls(), config)
    const ready =
      cached.get(base) ?? text.then((all) => precompress(all.replaceAll(GUIDE_BASE, base)))
    cached.set(base, ready)
    return ready
  }
}

/**
 * The documentation calls. `calls` is a function because the whole table includes these calls. The document
 * is generated on first use, because most processes never serve it.
 */
export function documentCalls(calls: () => readonly RestCall[]): readonly OwnCall[] {
  const openApi: OwnCall = {
    ...own,
    room,
    path: '/openapi.json',
    title: 'This documentation for programs',
    about: 'An OpenAPI 3.1 document, made of the same table that serves the calls.',
    example: { answer: { openapi: '3.1.0', info: { title: 'Apposite', version: '1.0.0' } } },
    type: 'application/json',
    answer: { type: 'object' },
    make: ({ config }) => {
      const documentAt = documentCache(calls, config)
      return [budget('page'), (c) => send(c, 'application/json', documentAt(c.req.url))]
    },
  }
  const docs: OwnCall = {
    ...own,
    room,
    path: '/api/docs',
    title: 'This documentation for people',
    about: 'Swagger UI. It loads nothing from other servers.',
    example: { answer: '<!doctype html>…' },
    type: 'text/html',
    answer: { type: 'string' },
    make: () => {
      const page = precompress(PAGE)
      return [budget('page'), (c) => send(c, 'text/html', page)]
    },
  }
  return [openApi, docs]
}

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

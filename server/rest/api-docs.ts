import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import type { Middleware } from '#server/http/request-context.ts'
import { budget } from '#server/http/route-guards.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { baseUrlFor, hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import type { OwnCall, RestCall } from './call.ts'

const own = { source: 'added', status: 200, refusals: [], procedures: [], method: 'GET' } as const
const room = 'The server'

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
<link rel="stylesheet" href="/swagger-ui.css">
<link rel="stylesheet" href="/api-docs.css">
<script src="/swagger-ui-bundle.js" defer></script>
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

const revalidated = etag({ weak: true })

function headersFor(type: string) {
  return { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
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
    about: 'An OpenAPI 3.1 document, generated from the table that serves the calls.',
    example: { answer: { openapi: '3.1.0', info: { title: 'Apposite', version: '1.0.0' } } },
    type: 'application/json',
    answer: { type: 'object' },
    make: ({ config }) => {
      let text: Promise<string> | undefined
      const send: Middleware = async (c) => {
        text ??= documentText(calls(), config).catch((error: unknown) => {
          text = undefined
          throw error
        })
        const document = (await text).replaceAll(GUIDE_BASE, baseUrlFor(config, c.req.url))
        return c.body(document, 200, headersFor('application/json'))
      }
      // Half a megabyte: compressed off the main thread, while it is sent.
      return [budget('page'), revalidated, compress(), send]
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
    make: () => [
      budget('page'),
      revalidated,
      (c) => Promise.resolve(c.body(PAGE, 200, headersFor('text/html'))),
    ],
  }
  return [openApi, docs]
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { etag } from 'hono/etag'
import type { Config } from '#server/kernel/config.ts'
import type { OwnCall, RestCall } from './call.ts'

const own = { source: 'added', status: 200, refusals: [], procedures: [], method: 'GET' } as const
const room = 'The server'

const REVALIDATED = { 'cache-control': 'no-cache' }

/** Where a page came from, as whoever reads it can reach it: a demo goes by several names. */
function baseOf(config: Config, url: string): string {
  return config.demo ? new URL(url).origin : config.publicUrl
}

/** The site's own style sheet, whose name changes with what is in it; null before it is built. */
async function siteStyles(config: Config): Promise<string | null> {
  try {
    const html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
    return /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(html)?.[1] ?? null
  } catch {
    return null
  }
}

/**
 * The calls that tell about all calls: `calls` is the whole table, so it is asked for late. What draws
 * them is loaded when somebody reads: most processes never have to.
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
    make: () => {
      let text: string | undefined
      return [
        etag({ weak: true }),
        async (c) => {
          const { openApiOf } = await import('./openapi.ts')
          text ??= JSON.stringify(openApiOf(calls()))
          return c.body(text, 200, { ...REVALIDATED, 'content-type': 'application/json' })
        },
      ]
    },
  }
  const docs: OwnCall = {
    ...own,
    room,
    path: '/api/docs',
    title: 'This documentation for people',
    about: 'The page you are reading. It asks no other server for anything.',
    example: { answer: '<!doctype html>…' },
    type: 'text/html',
    answer: { type: 'string' },
    make: ({ config }) => [
      etag({ weak: true }),
      async (c) => {
        const { docsPage } = await import('./docs/page.ts')
        const page = docsPage({
          calls: calls(),
          base: baseOf(config, c.req.url),
          styles: await siteStyles(config),
          isDemo: config.demo,
        })
        return c.body(page, 200, { ...REVALIDATED, 'content-type': 'text/html; charset=utf-8' })
      },
    ],
  }
  return [openApi, docs]
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '#server/context.ts'
import type { OwnCall, RestCall } from './call.ts'

const own = { source: 'added', status: 200, refusals: [], procedures: [], method: 'GET' } as const
const room = 'The server'

/** Where a page came from, as whoever reads it can reach it: a demo goes by several names. */
function baseOf({ config }: Services, request: Request): string {
  return config.demo ? new URL(request.url).origin : config.publicUrl
}

/** The site's own style sheet, whose name changes with what is in it; null before it is built. */
async function siteStyles({ config }: Services): Promise<string | null> {
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
    make: (_services, answers) => {
      let text: string | undefined
      return async (request) => {
        const { openApiOf } = await import('./openapi.ts')
        text ??= JSON.stringify(openApiOf(calls()))
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
        }
        return answers.cacheable(request, text, headers)
      }
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
    make: (services, answers) => async (request) => {
      const { docsPage } = await import('./docs/page.ts')
      const body = docsPage({
        calls: calls(),
        base: baseOf(services, request),
        styles: await siteStyles(services),
        isDemo: services.config.demo,
      })
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
      return answers.cacheable(request, body, headers)
    },
  }
  return [openApi, docs]
}

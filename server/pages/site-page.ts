import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Services } from '#server/context.ts'
import { makeReadyText, type ReadyText, sendReadyText } from '#server/http/ready-text.ts'
import type { HttpContext } from '#server/http/request-context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { accepts } from '#server/kernel/wire/encoding.ts'
import { filledPage } from './document.ts'
import { makeFirstPaint } from './first-paint.ts'

/** Compressed per request: at this quality brotli takes a millisecond or two. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

async function prepare(config: Config): Promise<ReadyText | null> {
  let html: string
  try {
    html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
  return makeReadyText(filledPage(html, config))
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>
<h1>The pages have not been built yet</h1><p>Run <code>npm start</code>, which builds them.</p></html>`

const HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-cache'],
  ['vary', 'accept-encoding, cookie'],
] as const

function compress(
  html: string,
  acceptEncoding: string | null,
): [string | null, string | Buffer<ArrayBuffer>] {
  if (accepts(acceptEncoding, 'br')) return ['br', brotliCompressSync(html, QUICK)]
  if (accepts(acceptEncoding, 'gzip')) return ['gzip', gzipSync(html, { level: 1 })]
  return [null, html]
}

/**
 * Serves the site's single HTML document, whose script shows the page of the address. Landing pages are
 * already rendered.
 */
export function makeSitePage({ config }: Services) {
  const render = makeFirstPaint(config)
  let prepared: Promise<ReadyText | null> | undefined

  return async (c: HttpContext, status: 200 | 404): Promise<Response> => {
    for (const [name, value] of HEADERS) c.header(name, value)
    prepared ??= prepare(config)
    const page = await prepared
    if (page === null) {
      prepared = undefined
      c.header('cache-control', 'no-store')
      return c.body(NOT_BUILT, 503)
    }
    const nonce = c.get('secureHeadersNonce') ?? ''
    const asked = { html: page.plain, url: c.req.url, nonce }
    const rendered = status === 200 ? await render(c.var.ctx, asked) : null
    if (rendered === null) return sendReadyText(c, page, status)
    const [encoding, body] = compress(rendered, c.req.header('accept-encoding') ?? null)
    if (encoding !== null) c.header('content-encoding', encoding)
    return c.body(body)
  }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Services } from '#server/context.ts'
import {
  type PrecompressedText,
  precompress,
  sendPrecompressed,
} from '#server/http/precompressed.ts'
import type { HttpContext } from '#server/http/request-context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { accepts } from '#server/kernel/wire/encoding.ts'
import { pageWithConfig } from './document.ts'
import { makePageRenderer } from './render-page.ts'

/** Compressed per request: at this quality brotli takes a millisecond or two. */
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

async function prepare(config: Config): Promise<PrecompressedText | null> {
  let html: string
  try {
    html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
  return precompress(pageWithConfig(html, config))
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
  if (accepts(acceptEncoding, 'br')) return ['br', brotliCompressSync(html, FAST_BROTLI)]
  if (accepts(acceptEncoding, 'gzip')) return ['gzip', gzipSync(html, { level: 1 })]
  return [null, html]
}

/**
 * Serves the site's single HTML document, whose script shows the page of the address. Landing pages are
 * already rendered.
 */
export function makeSitePage({ config }: Services) {
  const render = makePageRenderer(config)
  let prepared: Promise<PrecompressedText | null> | undefined

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
    const pageRequest = { html: page.plain, url: c.req.url, nonce }
    const rendered = status === 200 ? await render(c.var.ctx, pageRequest) : null
    if (rendered === null) return sendPrecompressed(c, page, status)
    const [encoding, body] = compress(rendered, c.req.header('accept-encoding') ?? null)
    if (encoding !== null) c.header('content-encoding', encoding)
    return c.body(body)
  }
}

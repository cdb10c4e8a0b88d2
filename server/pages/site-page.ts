import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Services } from '#server/context.ts'
import { type Answers, type HeaderMap, isFresh } from '#server/kernel/answer.ts'
import type { Config } from '#server/kernel/config.ts'
import { accepts } from '#server/kernel/encoding.ts'
import { drawnPage, filledPage } from './document.ts'
import { makeFirstPaint } from './first-paint.ts'

type Body = string | Uint8Array<ArrayBuffer>
type Prepared = { plain: string; br: Body; gzip: Body; etag: string }

/** Made for one visit: at this quality brotli takes a millisecond or two. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

async function prepare(config: Config): Promise<Prepared | null> {
  let html: string
  try {
    html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
  const plain = filledPage(html, config)
  return {
    plain,
    br: brotliCompressSync(plain),
    gzip: gzipSync(plain),
    etag: `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`,
  }
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>
<h1>The pages have not been built yet</h1><p>Run <code>npm start</code>, which builds them.</p></html>`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  vary: 'accept-encoding, cookie',
}

function choose(prepared: Prepared, acceptEncoding: string | null): [string | null, Body] {
  if (accepts(acceptEncoding, 'br')) return ['br', prepared.br]
  if (accepts(acceptEncoding, 'gzip')) return ['gzip', prepared.gzip]
  return [null, prepared.plain]
}

function compress(html: string, acceptEncoding: string | null): [string | null, Body] {
  if (accepts(acceptEncoding, 'br')) return ['br', brotliCompressSync(html, QUICK)]
  if (accepts(acceptEncoding, 'gzip')) return ['gzip', gzipSync(html, { level: 1 })]
  return [null, html]
}

/**
 * Serves the one HTML document of the site, whose script then shows the page of the address. Pages
 * that people arrive at come with their content drawn already.
 */
export function makeSitePage(services: Services, answers: Answers) {
  const { config } = services
  const draw = makeFirstPaint(services)
  let prepared: Promise<Prepared | null> | undefined

  function send(status: number, [encoding, body]: [string | null, Body], extra: HeaderMap = {}) {
    const encoded = encoding === null ? {} : { 'content-encoding': encoding }
    return answers.send(status, body, { ...HEADERS, ...extra, ...encoded })
  }

  return async (request: Request, status: number, network: string): Promise<Response> => {
    prepared ??= prepare(config)
    const page = await prepared
    if (page === null) {
      prepared = undefined
      return answers.send(503, NOT_BUILT, { ...HEADERS, 'cache-control': 'no-store' })
    }
    const acceptEncoding = request.headers.get('accept-encoding')
    const drawn = status === 200 ? await draw(request, network) : null
    if (drawn !== null) {
      return send(status, compress(drawnPage(page.plain, drawn), acceptEncoding))
    }
    const { etag } = page
    if (status === 200 && isFresh(request, etag)) {
      return answers.send(304, null, { ...HEADERS, etag })
    }
    return send(status, choose(page, acceptEncoding), { etag })
  }
}

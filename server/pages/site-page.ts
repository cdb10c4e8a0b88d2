import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Answers, type HeaderMap, isFresh } from '#server/kernel/answer.ts'
import type { Config } from '#server/kernel/config.ts'
import { accepts } from '#server/kernel/encoding.ts'

type Body = string | Uint8Array<ArrayBuffer>
type Prepared = { plain: string; br: Body; gzip: Body; etag: string }

const SLOT = /(<script type="application\/json" id="site-config">)[^<]*(<\/script>)/

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Puts what this installation says about itself into the page. */
function fillIn(html: string, config: Config): string {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  const json = scriptJson({ demo, tileUrl, tileAttribution, supportEmail, company })
  return html.replace(SLOT, (_all, before: string, after: string) => `${before}${json}${after}`)
}

async function prepare(config: Config): Promise<Prepared | null> {
  let html: string
  try {
    html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
  const plain = fillIn(html, config)
  return {
    plain,
    br: brotliCompressSync(plain),
    gzip: gzipSync(plain),
    etag: `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`,
  }
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>
<h1>The pages have not been built yet</h1><p>Run <code>npm start</code>, which builds them.</p></html>`

function choose(prepared: Prepared, acceptEncoding: string | null): [string | null, Body] {
  if (accepts(acceptEncoding, 'br')) return ['br', prepared.br]
  if (accepts(acceptEncoding, 'gzip')) return ['gzip', prepared.gzip]
  return [null, prepared.plain]
}

/** Serves the one HTML document of the site, whose script then shows the page of the address. */
export function makeSitePage(config: Config, answers: Answers) {
  let prepared: Promise<Prepared | null> | undefined
  return async (request: Request, status: number): Promise<Response> => {
    prepared ??= prepare(config)
    const page = await prepared
    const headers: HeaderMap = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    }
    if (page === null) {
      prepared = undefined
      return answers.send(503, NOT_BUILT, { ...headers, 'cache-control': 'no-store' })
    }
    headers['etag'] = page.etag
    if (status === 200 && isFresh(request, page.etag)) return answers.send(304, null, headers)
    const [encoding, body] = choose(page, request.headers.get('accept-encoding'))
    if (encoding !== null) headers['content-encoding'] = encoding
    return answers.send(status, body, headers)
  }
}

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { accepts } from 'hono/accepts'
import type { HttpContext, Middleware } from './request-context.ts'

/** In bytes; below the size of one packet, compression gains nothing. */
const COMPRESS_FROM = 1_400

const TEXT = /^(?:text\/|application\/json)/

/** The best first; at these qualities either takes a millisecond or two for a page. */
const ENCODERS = {
  br: (body: Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => gzipSync(body, { level: 1 }),
}

type Encoding = keyof typeof ENCODERS

function encodingFor(c: HttpContext): Encoding | undefined {
  const isAccepted = (name: Encoding) =>
    accepts(c, { header: 'Accept-Encoding', supports: [name], default: 'identity' }) === name
  return (['br', 'gzip'] as const).find(isAccepted)
}

/**
 * Compresses text generated per request. Hono's own middleware streams every response through zlib, however
 * short, at a cost of a quarter of a megabyte each.
 */
export const compress: Middleware = async (c, next) => {
  await next()
  const { headers, status } = c.res
  if (headers.has('content-encoding') || !TEXT.test(headers.get('content-type') ?? '')) return
  headers.append('vary', 'accept-encoding')
  const encoding = encodingFor(c)
  if (encoding === undefined || status === 304) return
  const body = Buffer.from(await c.res.arrayBuffer())
  const isLong = body.length >= COMPRESS_FROM
  const packed = new Response(isLong ? ENCODERS[encoding](body) : body, c.res)
  if (isLong) {
    packed.headers.set('content-encoding', encoding)
    packed.headers.delete('content-length')
  }
  // Clearing the response first keeps Hono from merging the headers of both.
  c.res = undefined
  c.res = packed
}

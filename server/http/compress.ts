import { gzipSync } from 'node:zlib'
import { accepts } from '#server/kernel/wire/encoding.ts'
import type { Middleware } from './request-context.ts'

/** In bytes; below the size of one packet, compression gains nothing. */
const COMPRESS_FROM = 1_400

const TEXT = /^(?:text\/|application\/json)/

/**
 * Compresses text generated per request. Hono's own middleware streams every response through zlib, however
 * short, at a cost of a quarter of a megabyte each.
 */
export const compress: Middleware = async (c, next) => {
  await next()
  const { headers } = c.res
  if (headers.has('content-encoding') || !TEXT.test(headers.get('content-type') ?? '')) return
  headers.append('vary', 'accept-encoding')
  if (!accepts(c.req.header('accept-encoding') ?? null, 'gzip') || c.res.status === 304) return
  const body = Buffer.from(await c.res.arrayBuffer())
  const isLong = body.length >= COMPRESS_FROM
  const packed = new Response(isLong ? gzipSync(body, { level: 1 }) : body, c.res)
  if (isLong) {
    packed.headers.set('content-encoding', 'gzip')
    packed.headers.delete('content-length')
  }
  // Clearing the response first keeps Hono from merging the headers of both.
  c.res = undefined
  c.res = packed
}

import { gzipSync } from 'node:zlib'
import { accepts } from '#server/kernel/wire/encoding.ts'
import type { Middleware } from './request-context.ts'

/** Bytes; below a packet's worth there is nothing to win. */
const COMPRESS_FROM = 1_400

const TEXT = /^(?:text\/|application\/json)/

/**
 * Compresses text made for one request. Hono's own middleware streams every answer through zlib,
 * however short, which costs a quarter of a megabyte each time.
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
  // Setting it twice keeps Hono from merging the two.
  c.res = undefined
  c.res = packed
}

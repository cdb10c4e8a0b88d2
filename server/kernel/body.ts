import { AppError } from './errors.ts'

/** Bytes of a JSON request. */
export const JSON_LIMIT = 65_536

async function readCounted(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of stream) {
    total += chunk.byteLength
    // Leaving the loop cancels the stream: nothing more is read.
    if (total > limit) throw new AppError('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The body as text, refused with `body_too_large` before it is all read when it is over `limit`. */
export async function readBody(request: Request, limit: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared === null) {
    return request.body === null ? '' : readCounted(request.body, limit)
  }
  if (!/^\d+$/.test(declared) || Number(declared) > limit) throw new AppError('body_too_large')
  const text = await request.text()
  // Over a socket the length is enforced; elsewhere it is only a claim.
  if (text.length > limit) throw new AppError('body_too_large')
  return text
}

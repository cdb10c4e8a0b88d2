import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from './errors.ts'

/** Bytes of a JSON request. */
export const JSON_LIMIT = 65_536

/** Nobody hears what a sender is told who hung up half-way; it must not look like a defect of ours. */
async function whole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_input')
  }
}

async function readCounted(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  tooLarge: ErrorCode,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of stream) {
    total += chunk.byteLength
    // Leaving the loop cancels the stream: nothing more is read.
    if (total > limit) throw new AppError(tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The body as bytes, refused with `tooLarge` before it is all read when it is over `limit`. */
export async function readBytes(
  request: Request,
  limit: number,
  tooLarge: ErrorCode,
): Promise<Buffer> {
  const declared = request.headers.get('content-length')
  if (declared !== null && (!/^\d+$/.test(declared) || Number(declared) > limit)) {
    throw new AppError(tooLarge)
  }
  return request.body === null ? Buffer.alloc(0) : whole(readCounted(request.body, limit, tooLarge))
}

/** The body as text, refused with `body_too_large` before it is all read when it is over `limit`. */
export async function readBody(request: Request, limit: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared === null) {
    if (request.body === null) return ''
    return (await whole(readCounted(request.body, limit, 'body_too_large'))).toString('utf8')
  }
  if (!/^\d+$/.test(declared) || Number(declared) > limit) throw new AppError('body_too_large')
  const text = await whole(request.text())
  // Over a socket the length is enforced; elsewhere it is only a claim.
  if (text.length > limit) throw new AppError('body_too_large')
  return text
}

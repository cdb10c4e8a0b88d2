/** Caps on what is read from outside. The caller ends a source that stops sending, by its signal. */
export type ReadCaps = { maxBytes: number; signal?: AbortSignal }

/** What was sent is larger than we read, or came in too many pieces. */
export class OverCapError extends Error {
  override readonly name = 'OverCapError'
}

/** Honest senders fill packets; these many are allowed beside one for every 64 bytes. */
const SPARE_CHUNKS = 1_000
const BYTES_PER_CHUNK = 64

const FIRST_BYTES = 16_384

/** What is read of a request or response without a body. */
const NOTHING: readonly Uint8Array[] = []

/**
 * The only reader of streams from outside: bodies of requests, and responses of other servers. The bytes are
 * copied into one growing buffer, so that memory depends on their number alone and not on how they were cut.
 * Throws `OverCapError`; leaving the stream then closes its connection.
 */
export async function readCapped(
  source: AsyncIterable<unknown> | null,
  { maxBytes, signal }: ReadCaps,
): Promise<Buffer<ArrayBuffer>> {
  let whole = Buffer.allocUnsafeSlow(Math.min(maxBytes, FIRST_BYTES))
  let size = 0
  let chunksLeft = SPARE_CHUNKS + maxBytes / BYTES_PER_CHUNK
  for await (const chunk of source ?? NOTHING) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('The stream is not one of bytes')
    signal?.throwIfAborted()
    chunksLeft -= 1
    const end = size + chunk.byteLength
    if (end > maxBytes) throw new OverCapError(`more than ${maxBytes} bytes were sent`)
    if (chunksLeft < 0) throw new OverCapError('the bytes were sent in too many pieces')
    if (end > whole.byteLength) {
      const grown = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(end, 2 * size)))
      whole.copy(grown, 0, 0, size)
      whole = grown
    }
    whole.set(chunk, size)
    size = end
  }
  // Where a body lasts until its connection closes, closing it by the signal looks like its end.
  signal?.throwIfAborted()
  return whole.subarray(0, size)
}

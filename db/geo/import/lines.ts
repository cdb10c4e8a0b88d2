import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as yauzl from 'yauzl'
import { isText, type ListFile } from './files.ts'
import { ImportProblem, readingProblem } from './problem.ts'

/** Lines in batches of a few hundred: one by one they would take twice as long. */
export type Blocks = AsyncIterable<string[]>

/** Called with the part of a file that has been read, from 0 to 1. */
export type OnProgress = (part: number) => void

const CHUNK_BYTES = 256 * 1024

/** No list has lines this long; binary data may. */
const MAX_LINE_LENGTH = 1_000_000

async function* linesOf(chunks: AsyncIterable<Buffer>): Blocks {
  const decoder = new TextDecoder()
  let rest = ''
  let hasLines = false
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const lines = text.split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_LENGTH) {
      if (hasLines) throw new Error('a line does not end')
      return
    }
    if (lines.length === 0) continue
    hasLines = true
    yield lines
  }
  if (rest.trim() !== '') yield [rest.trimEnd()]
}

type Compression = 'gzip' | 'zip' | 'none'

/** Compression by magic bytes: downloads often have the wrong extension. */
async function compressionOf(path: string): Promise<Compression> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4)
    const magic = buffer.toString('latin1')
    if (magic.startsWith('\x1f\x8b')) return 'gzip'
    // An archive without members starts with the end-of-directory record.
    return magic === 'PK\x03\x04' || magic === 'PK\x05\x06' ? 'zip' : 'none'
  } finally {
    await file.close()
  }
}

async function* fromFile(file: ListFile, compression: Compression, onProgress: OnProgress) {
  const stream = createReadStream(file.path, { highWaterMark: CHUNK_BYTES })
  // The pipeline forwards errors of the file to the unpacked stream, which is read below.
  const chunks: AsyncIterable<Buffer> =
    compression === 'gzip'
      ? pipeline(stream, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
      : stream
  try {
    for await (const lines of linesOf(chunks)) {
      onProgress(stream.bytesRead / file.bytes)
      yield lines
    }
  } finally {
    stream.destroy()
  }
}

async function* countBytes(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

async function* fromZip(path: string, onProgress: OnProgress): AsyncIterable<Blocks> {
  const zip = await yauzl.openPromise(path, { autoClose: false })
  try {
    const entries: yauzl.Entry[] = []
    for await (const entry of zip.eachEntry()) {
      if (isText(entry.fileName)) entries.push(entry)
    }
    const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    let before = 0
    for (const entry of entries) {
      const stream = await zip.openReadStreamPromise(entry)
      let read = 0
      const chunks = countBytes(stream, (bytes) => {
        read += bytes
        onProgress((before + read) / total)
      })
      yield linesOf(chunks)
      stream.destroy()
      before += entry.uncompressedSize
    }
  } finally {
    zip.close()
  }
}

/**
 * Turns read errors into sentences for the operator; errors thrown by the consumer pass through unchanged.
 */
async function* withReadingProblems<T>(path: string, items: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* items
  } catch (error) {
    throw readingProblem(path, error)
  }
}

async function* textsOf(file: ListFile, onProgress: OnProgress): AsyncIterable<Blocks> {
  const compression = await compressionOf(file.path)
  if (compression === 'zip') {
    for await (const blocks of fromZip(file.path, onProgress))
      yield withReadingProblems(file.path, blocks)
  } else {
    yield withReadingProblems(file.path, fromFile(file, compression, onProgress))
  }
}

/**
 * Streams every text in a file, plain, gzip or zip, one at a time: each must be read or abandoned before the
 * next is requested. Throws `ImportProblem` for a file that is empty or damaged.
 */
export async function* openTexts(
  file: ListFile,
  onProgress: OnProgress = () => undefined,
): AsyncIterable<Blocks> {
  if (file.bytes === 0) throw new ImportProblem('empty', `${file.path} is empty.`)
  yield* withReadingProblems(file.path, textsOf(file, onProgress))
}

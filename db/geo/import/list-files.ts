import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import Papa from 'papaparse'
import * as yauzl from 'yauzl'
import { ImportProblem, readingProblem } from './report.ts'

/** The cells of one CSV line (RFC 4180); no list of places has line breaks inside cells. */
export function splitCsv(line: string): string[] {
  const { data } = Papa.parse<string[]>(line, { delimiter: ',', newline: '\n' })
  return data[0] ?? []
}

/** Column names by position, trimmed and lower case, without a byte order mark. */
export function headerCells(cells: readonly string[]): string[] {
  return cells.map((cell) =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  )
}

/** Degrees from a cell; NaN for an empty one, which must not count as zero degrees. */
export function readDegrees(cell: string | undefined): number {
  return cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell)
}

export type ListFile = {
  path: string
  /** Path inside the requested folder, with forward slashes; for a single file, its name. */
  name: string
  bytes: number
  /** Epoch milliseconds. */
  changed: number
}

const LIST = /\.(?:csv|txt|tsv|gz|zip)$/i

/** ONSPD and NSPL repeat every area in this folder. */
const REPEATED_FOLDER = /(?:^|\/)multi_csv\//i

/** Whether a member of a zip archive may hold a list. */
function isText(name: string): boolean {
  return /\.(?:csv|txt|tsv)$/i.test(name) && !REPEATED_FOLDER.test(name)
}

async function fileFacts(path: string, name: string): Promise<ListFile> {
  const facts = await stat(path)
  return { path, name, bytes: facts.size, changed: Math.trunc(facts.mtimeMs) }
}

async function filesUnder(folder: string): Promise<ListFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => LIST.test(name) && !REPEATED_FOLDER.test(name))
    .toSorted()
  return Promise.all(names.map((name) => fileFacts(join(folder, name), name)))
}

/**
 * The file at a path, or every file below a folder whose name suggests a list, sorted by name. Throws
 * `ImportProblem` when the path cannot be read.
 */
export async function listFiles(path: string): Promise<ListFile[]> {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) return await filesUnder(path)
    return [await fileFacts(path, path.replace(/^.*[\\/]/, ''))]
  } catch (error) {
    throw readingProblem(path, error)
  }
}

/** Lines in batches of a few hundred: iterating line by line is slower. */
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

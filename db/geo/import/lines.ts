import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as yauzl from 'yauzl'

/** One text inside what was given to import: the file itself, or a member of a zip or folder. */
export type TextSource = {
  name: string
  lines: AsyncIterable<string>
  /** Bytes to be read in all (compressed where they are), counting every source of the run. */
  bytesTotal: number
  /** Bytes read so far of this source. */
  bytesRead(): number
}

const TEXT = /\.(?:csv|txt|tsv)$/i

/** ONSPD zips hold every area a second time in here. */
const REPEATED = /(?:^|\/)multi_csv\//i

function lineSource(name: string, stream: Readable, bytesTotal: number): TextSource {
  let read = 0
  const unpacked = name.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  // An error upstream must end the reading side too, or the import would wait for ever.
  if (unpacked !== stream) stream.on('error', (error) => unpacked.destroy(error))
  return {
    name,
    lines: createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY }),
    bytesTotal,
    bytesRead: () => read,
  }
}

async function* fromZip(path: string): AsyncIterable<TextSource> {
  const zip = await yauzl.openPromise(path, { autoClose: false })
  try {
    const entries: yauzl.Entry[] = []
    for await (const entry of zip.eachEntry()) {
      if (TEXT.test(entry.fileName) && !REPEATED.test(entry.fileName)) entries.push(entry)
    }
    const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    for (const entry of entries) {
      const stream = await zip.openReadStreamPromise(entry)
      yield lineSource(entry.fileName, stream, total)
      stream.destroy()
    }
  } finally {
    zip.close()
  }
}

async function* fromFolder(path: string): AsyncIterable<TextSource> {
  const names = (await readdir(path, { recursive: true }))
    .filter((name) => TEXT.test(name) && !REPEATED.test(name))
    .toSorted()
  const files = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(path, name))).size })),
  )
  const total = files.reduce((sum, file) => sum + file.size, 0)
  for (const file of files) {
    const stream = createReadStream(join(path, file.name))
    yield lineSource(file.name, stream, total)
    stream.destroy()
  }
}

/**
 * Every text in a `.csv`, `.txt`, `.gz` or `.zip` file, or in a folder of such texts, one at a
 * time; nothing is held in memory. Rejects when the path cannot be read.
 */
export async function* openTexts(path: string): AsyncIterable<TextSource> {
  const facts = await stat(path)
  if (facts.isDirectory()) yield* fromFolder(path)
  else if (/\.zip$/i.test(path)) yield* fromZip(path)
  else {
    const stream = createReadStream(path)
    yield lineSource(path, stream, facts.size)
    stream.destroy()
  }
}

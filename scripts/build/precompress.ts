import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

// Fonts and pictures are compressed already. The page itself is filled in for every response.
const TEXT = new Set(['.js', '.css', '.html', '.json', '.svg', '.txt', '.xml', '.webmanifest'])

/** Sizes of one asset in bytes: raw, and compressed. */
export type Compressed = { file: string; raw: number; br: number; gz: number }

/** Whether an asset is text that a server sends compressed; `index.html` is not, it is a template. */
export function isCompressible(file: string): boolean {
  return TEXT.has(extname(file)) && !/(^|[\\/])index\.html$/.test(file)
}

/** Writes `<file>.br` (quality 11) and `<file>.gz` (level 9) beside the file. */
export async function precompress(file: string): Promise<Compressed> {
  const bytes = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  return { file, raw: bytes.length, br: br.length, gz: gz.length }
}

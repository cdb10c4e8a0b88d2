import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { accepts } from './encoding.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
}

/** Encodings by preference, with the ending the build gives them. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** A file as it goes out. */
export type StaticAnswer = {
  body: Uint8Array<ArrayBuffer>
  type: string
  etag: string
  encoding: string | null
  /** Its name holds the hash of its content, so it never changes. */
  isImmutable: boolean
}

export type StaticFiles = {
  /** The file at a path as the caller can read it best, or null. */
  find(pathname: string, acceptEncoding: string | null): Promise<StaticAnswer | null>
}

type Stored = { body: Uint8Array<ArrayBuffer>; etag: string }

async function listFiles(folder: string): Promise<Set<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    return new Set(files.map((file) => `/${file.split(sep).join('/')}`))
  } catch {
    return new Set()
  }
}

/** Null when a newer build has taken the file away under the running server. */
async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Serves the files a build left in a folder. They are listed once, so a path that is not in the
 * list cannot reach the disk, whatever it looks like; contents are kept in memory after first use.
 */
export function makeStaticFiles(folder: string): StaticFiles {
  let listed: Promise<Set<string>> | undefined
  const stored = new Map<string, Stored>()

  async function load(path: string): Promise<Stored | null> {
    const known = stored.get(path)
    if (known !== undefined) return known
    const body = await readBytes(join(folder, path))
    if (body === null) return null
    const fresh = { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` }
    stored.set(path, fresh)
    return fresh
  }

  return {
    async find(pathname, acceptEncoding) {
      listed ??= listFiles(folder)
      const files = await listed
      if (!files.has(pathname)) return null
      const type = TYPES[extname(pathname)]
      if (type === undefined) return null
      const isImmutable = pathname.startsWith('/assets/')
      for (const [encoding, ending] of ENCODINGS) {
        if (!files.has(pathname + ending) || !accepts(acceptEncoding, encoding)) continue
        const packed = await load(pathname + ending)
        if (packed !== null) return { ...packed, type, encoding, isImmutable }
      }
      const plain = await load(pathname)
      return plain === null ? null : { ...plain, type, encoding: null, isImmutable }
    },
  }
}

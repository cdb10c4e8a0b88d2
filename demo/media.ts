import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from '#demo/pictures/portraits.ts'

/** Concurrent drawings: more than the number of cores only costs memory. */
const CONCURRENCY = 6
const QUALITY = 80

/** Encoder effort, 0 to 6: beyond 2 it is slow and saves nothing on flat colours. */
const EFFORT = 2

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** The `/media/…` paths of the pictures in the folder, from a single directory listing. */
export async function listMedia(mediaFolder: string): Promise<Set<string>> {
  await mkdir(mediaFolder, { recursive: true })
  return new Set((await readdir(mediaFolder)).map((name) => `/media/${name}`))
}

async function saveImage(mediaFolder: string, bytes: Buffer): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`
  const file = join(mediaFolder, name)
  if (!(await exists(file))) {
    // Two processes may draw at once: each writes its own file, and the last rename wins harmlessly.
    const draft = join(mediaFolder, `.${randomUUID()}.draft`)
    await writeFile(draft, bytes)
    await rename(draft, file)
  }
  return `/media/${name}`
}

async function render(mediaFolder: string, picture: Picture): Promise<string> {
  // Loaded with the first picture: a start that finds all of them saves 15 MB.
  const { default: sharp } = await import('sharp')
  const bytes = await sharp(Buffer.from(picture.draw()))
    .resize(picture.width === undefined ? {} : { width: picture.width })
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer()
  return saveImage(mediaFolder, bytes)
}

/**
 * Draws each distinct picture as webp into the folder, named by the hash of its bytes, and
 * returns its `/media/…` path by key.
 */
export async function renderPictures(
  mediaFolder: string,
  pictures: readonly Picture[],
): Promise<Map<string, string>> {
  await mkdir(mediaFolder, { recursive: true })
  const waiting = [...new Map(pictures.map((picture) => [picture.key, picture])).values()]
  const paths = new Map<string, string>()
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      paths.set(next.key, await render(mediaFolder, next))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return paths
}

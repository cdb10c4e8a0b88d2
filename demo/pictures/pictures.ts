import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Db } from '#db/engine.ts'
import { peopleOf } from '#demo/people/people.ts'
import { readMeta, writeMeta } from '#demo/store.ts'
import { GALLERY_PICTURES } from './demo-gallery.ts'
import type { Picture } from './portraits.ts'

/** Most pictures drawn at once. */
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
async function listMedia(mediaFolder: string): Promise<Set<string>> {
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
  // Loaded with the first picture, so that a start that finds all of them needs no image library.
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

/** Key of app_meta that stores the path of every drawn picture, as JSON. */
const PICTURES_KEY = 'demo_pictures'

/** Draws every picture of the demo into the folder and returns their paths by key. */
export function drawAll(mediaFolder: string, count: number): Promise<Map<string, string>> {
  const people = [...peopleOf('uk', count), ...peopleOf('usa', count)]
  return renderPictures(mediaFolder, [
    ...GALLERY_PICTURES,
    ...people.map((person) => person.picture),
  ])
}

export async function savePicturePaths(db: Db, paths: ReadonlyMap<string, string>): Promise<void> {
  await writeMeta(db, PICTURES_KEY, JSON.stringify(Object.fromEntries(paths)))
}

/** The paths of the drawn pictures by their keys. */
export async function readPicturePaths(db: Db): Promise<Map<string, string>> {
  const text = (await readMeta(db, PICTURES_KEY)) ?? '{}'
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).map(([key, path]) => [key, String(path)]))
}

async function replacePath(db: Db, before: string, after: string): Promise<void> {
  await db.updateTable('providers').set({ photo: after }).where('photo', '=', before).execute()
  await db.updateTable('gallery_files').set({ path: after }).where('path', '=', before).execute()
  for (const table of ['homepage', 'homepage_versions', 'gallery_images'] as const) {
    await db.updateTable(table).set({ image_url: after }).where('image_url', '=', before).execute()
  }
  for (const table of ['homepage', 'homepage_versions'] as const) {
    await db
      .updateTable(table)
      .set({ modal_image: after })
      .where('modal_image', '=', before)
      .execute()
  }
}

/**
 * Draws the demo's pictures again when the folder has lost any, for example after DATA_DIR moved. A newer
 * image library may produce other bytes and so other names: the rows are updated.
 */
export async function restorePictures(
  database: Database,
  mediaFolder: string,
  count: number,
): Promise<void> {
  const known = await readPicturePaths(database.db)
  const here = await listMedia(mediaFolder)
  // A demo from before the gallery has fewer pictures.
  const isComplete = GALLERY_PICTURES.every(({ key }) => known.has(key))
  if (isComplete && known.values().every((path) => here.has(path))) return
  const drawn = await drawAll(mediaFolder, count)
  await database.transaction(async (db) => {
    for (const [key, after] of drawn) {
      const was = known.get(key)
      if (was !== undefined && was !== after) await replacePath(db, was, after)
    }
    await savePicturePaths(db, drawn)
  })
}

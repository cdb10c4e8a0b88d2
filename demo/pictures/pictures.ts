import type { Database, Db } from '#db/engine.ts'
import { drawPictures, listMedia } from '#demo/media.ts'
import { readMeta, writeMeta } from '#demo/meta.ts'
import { peopleOf } from '#demo/people/people.ts'
import { GALLERY_PICTURES } from './demo-gallery.ts'

/** Key of app_meta that stores the path of every drawn picture, as JSON. */
const DRAWN = 'demo_pictures'

/** Draws every picture of the demo into the folder and returns their paths by key. */
export function drawAll(mediaFolder: string, count: number): Promise<Map<string, string>> {
  const people = [...peopleOf('uk', count), ...peopleOf('usa', count)]
  return drawPictures(mediaFolder, [...GALLERY_PICTURES, ...people.map((person) => person.picture)])
}

export async function rememberPictures(db: Db, paths: ReadonlyMap<string, string>): Promise<void> {
  await writeMeta(db, DRAWN, JSON.stringify(Object.fromEntries(paths)))
}

/** The paths of the drawn pictures by their keys. */
export async function recalledPictures(db: Db): Promise<Map<string, string>> {
  const text = (await readMeta(db, DRAWN)) ?? '{}'
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).map(([key, path]) => [key, String(path)]))
}

async function replacePath(db: Db, was: string, is: string): Promise<void> {
  await db.updateTable('providers').set({ photo: is }).where('photo', '=', was).execute()
  await db.updateTable('gallery_files').set({ path: is }).where('path', '=', was).execute()
  for (const table of ['homepage', 'homepage_versions', 'gallery_images'] as const) {
    await db.updateTable(table).set({ image_url: is }).where('image_url', '=', was).execute()
  }
  for (const table of ['homepage', 'homepage_versions'] as const) {
    await db.updateTable(table).set({ modal_image: is }).where('modal_image', '=', was).execute()
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
  const known = await recalledPictures(database.db)
  const here = await listMedia(mediaFolder)
  // A demo from before the gallery has fewer pictures.
  const isComplete = GALLERY_PICTURES.every(({ key }) => known.has(key))
  if (isComplete && known.values().every((path) => here.has(path))) return
  const drawn = await drawAll(mediaFolder, count)
  await database.transaction(async (db) => {
    for (const [key, is] of drawn) {
      const was = known.get(key)
      if (was !== undefined && was !== is) await replacePath(db, was, is)
    }
    await rememberPictures(db, drawn)
  })
}

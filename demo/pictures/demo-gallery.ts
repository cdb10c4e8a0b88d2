import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#contract/base/time.ts'
import { HOMEPAGE_ID, IMAGE_WIDTHS } from '#contract/gallery.ts'
import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'
import { copyPictures } from './pictures.ts'

type Entry = {
  /** Key of its largest size; the other sizes append their width. */
  key: string
  purpose: 'gallery' | 'modal'
  alt: string
  width: number
  height: number
  /** Demo staff member who added it; null for built-in pictures. */
  by: string | null
  daysAgo: number
}

const HERO_ALT = 'A calm reception: a visitor at the desk, a receptionist and a doctor'
const WIDE = { purpose: 'gallery', width: 1_600, height: 1_000 } as const
const AUTHOR = 'author@demo.example'
const EDITOR = 'editor@demo.example'
const ADMIN = 'admin@demo.example'

const ENTRIES: readonly Entry[] = [
  {
    key: 'modal',
    purpose: 'modal',
    alt: '',
    width: 960,
    height: 540,
    by: ADMIN,
    daysAgo: 9,
  },
  { ...WIDE, key: 'hero', alt: HERO_ALT, by: EDITOR, daysAgo: 20 },
  { ...WIDE, key: 'hills', alt: 'Morning light on green hills', by: AUTHOR, daysAgo: 12 },
  {
    ...WIDE,
    key: 'street',
    alt: 'A practice with a red door in a street of houses',
    by: EDITOR,
    daysAgo: 11,
  },
  {
    ...WIDE,
    key: 'consulting-room',
    alt: 'A dentist in blue at her table in a bright room',
    by: AUTHOR,
    daysAgo: 10,
  },
  {
    ...WIDE,
    key: 'waiting-room',
    alt: 'Two armchairs by an arched window',
    by: EDITOR,
    daysAgo: 9,
  },
]

function sizesOf({ key, width }: Entry): { key: string; width: number }[] {
  const smaller = IMAGE_WIDTHS.filter((one) => one < width)
  return [...smaller.map((one) => ({ key: `${key}-${one}`, width: one })), { key, width }]
}

type Seeding = { now: number; mediaFolder: string }

const accountId = (email: string) => idFrom('usr', `account ${email}`)

async function sizeOf(mediaFolder: string, path: string): Promise<number> {
  return (await stat(join(mediaFolder, path.slice('/media/'.length)))).size
}

type Pictures = ReadonlyMap<string, string>

async function filesOf(entry: Entry, { mediaFolder, pictures }: Seeding & { pictures: Pictures }) {
  const files = []
  for (const { key, width } of sizesOf(entry)) {
    const path = pictures.get(key)
    if (path === undefined) throw new Error(`There is no picture ${key}.`)
    const height = Math.round((entry.height * width) / entry.width)
    files.push({ path, width, height, bytes: await sizeOf(mediaFolder, path) })
  }
  return files
}

async function writeImage(
  db: Db,
  entry: Entry,
  seeding: Seeding & { pictures: Pictures },
): Promise<void> {
  const files = await filesOf(entry, seeding)
  const largest = files.at(-1)
  if (largest === undefined) return
  const { no } = await db
    .insertInto('gallery_images')
    .values({
      id: idFrom('img', `gallery ${entry.key}`),
      purpose: entry.purpose,
      image_url: largest.path,
      alt: entry.alt,
      width: largest.width,
      height: largest.height,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      uploaded_by: entry.by === null ? null : accountId(entry.by),
      created_at: seeding.now - entry.daysAgo * DAY_MS,
      removed_at: null,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('gallery_files')
    .values(files.map((file) => ({ image_no: no, ...file })))
    .execute()
}

/** The history of the demo's homepage, so that there are versions to restore. */
async function writeVersions(db: Db, now: number): Promise<void> {
  const page = await db
    .selectFrom('homepage')
    .selectAll()
    .where('id', '=', HOMEPAGE_ID)
    .executeTakeFirst()
  // Somebody has changed it already, so there are versions.
  if (page === undefined || page.version > 0) return
  const { image_url, color, modal_image, show_modal, modal_heading, modal_description } = page
  const bare = {
    modal_image: null,
    show_modal: 0,
    modal_heading: '',
    modal_description: '',
  } as const
  const whole = { modal_image, show_modal, modal_heading, modal_description }
  const version = (no: number, daysAgo: number, email: string | null) => ({
    version: no,
    at: now - daysAgo * DAY_MS,
    actor_id: email === null ? null : accountId(email),
    restored: null,
  })
  await db
    .insertInto('homepage_versions')
    .values([
      { ...version(0, 21, null), act: 'start', image_url: null, color: '#ffffff', ...bare },
      { ...version(1, 20, EDITOR), act: 'image', image_url, color: '#ffffff', ...bare },
      { ...version(2, 15, EDITOR), act: 'color', image_url, color: '#f5f5dc', ...bare },
      { ...version(3, 14, ADMIN), act: 'color', image_url, color, ...bare },
      { ...version(4, 9, ADMIN), act: 'modal', image_url, color, ...whole },
    ])
    .execute()
  await db.updateTable('homepage').set({ version: 4 }).where('id', '=', HOMEPAGE_ID).execute()
}

const GALLERY_KEY = 'demo_gallery'

/** Fills the demo's gallery, once. Returns whether this call did it. */
export async function seedGallery(database: Database, seeding: Seeding): Promise<boolean> {
  return seedOnce(database, GALLERY_KEY, async (db) => {
    const pictures = await copyPictures(seeding.mediaFolder)
    for (const entry of ENTRIES.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      await writeImage(db, entry, { ...seeding, pictures })
    }
    await writeVersions(db, seeding.now)
  })
}

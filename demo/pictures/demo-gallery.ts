import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#contract/base/time.ts'
import { HOMEPAGE_ID, IMAGE_WIDTHS } from '#contract/gallery.ts'
import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'
import { drawHero, GALLERY_DRAWINGS } from './draw-gallery.ts'
import { at, disc, rect, shape, sprig, stroke } from './draw-scene.ts'
import type { Picture } from './portraits.ts'

const PILLS = 5
const ROWS = 4
const FREE = new Set(['0,1', '0,3', '1,0', '1,1', '1,4', '2,2', '2,3', '3,0', '3,1', '3,3', '3,4'])
const CHOSEN = '1,3'

function pill(column: number, row: number): string {
  const x = -186 + column * 76
  const y = -84 + row * 52
  const key = `${row},${column}`
  if (key === CHOSEN) {
    return (
      rect('#b4471b', [x - 4, y - 3, 76, 44, 22]) +
      stroke('#ffffff', 6, `M${x + 24} ${y + 20}L${x + 31} ${y + 27}L${x + 46} ${y + 11}`)
    )
  }
  return rect(FREE.has(key) ? '#bfe0d5' : '#eeece5', [x, y, 68, 38, 19])
}

function calendar(): string {
  const pills = Array.from({ length: PILLS * ROWS }, (_, no) =>
    pill(no % PILLS, Math.floor(no / PILLS)),
  )
  const rings = [-140, -70, 0, 70, 140].map((x) => rect('#51605a', [x - 7, -222, 14, 48, 7]))
  return (
    rect('#c4dbd1', [-222, -186, 460, 344, 30]) +
    rect('#ffffff', [-232, -200, 464, 344, 30]) +
    shape(
      '#0b6b5b',
      'M-232 -118L-232 -170C-232 -188 -220 -200 -202 -200L202 -200C220 -200 232 -188 232 -170L232 -118Z',
    ) +
    rings.join('') +
    rect('#8fd0be', [-186, -160, 150, 18, 9]) +
    rect('#3f9483', [120, -160, 66, 18, 9]) +
    pills.join('')
  )
}

function mug(): string {
  return (
    stroke('#f4d9c4', 17, 'M70 -112C126 -112 126 -40 66 -42') +
    rect('#fbeae1', [-78, -146, 156, 146, 28]) +
    shape('#f2d3bf', 'M22 -146L50 -146C66 -146 78 -134 78 -118L78 -28C78 -12 66 0 50 0L14 0Z') +
    rect('#d98f62', [-78, -104, 156, 22]) +
    stroke('#ffffff', 8, 'M-26 -176C-44 -200 -8 -214 -26 -240M26 -176C8 -200 44 -214 26 -240')
  )
}

/** The picture of the promotional modal, 960 by 540: a week with one selected free time. */
function drawModal(): string {
  const pot = 'M-62 -150C-40 -126 -74 -84 -74 -48C-74 0 74 0 74 -48C74 -84 40 -126 62 -150Z'
  const vase = `<clipPath id="pot"><path d="${pot}"/></clipPath><g clip-path="url(#pot)">${rect('#efcab7', [-80, -160, 160, 170])}${shape('#e0b29a', 'M34 -160L90 -160L90 20L-6 20C40 -30 52 -110 34 -160Z')}</g>`
  const branches = at(
    { x: 0, y: -140 },
    `<g transform="rotate(-20)">${sprig('#4f937d', 3)}</g><g transform="rotate(4)">${sprig('#5fa38b', 4)}</g><g transform="rotate(28)">${sprig('#79b39c', 3)}</g>`,
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540">` +
    rect('#e0eee7', [0, 0, 960, 540]) +
    disc('#d0e5db', [480, 300, 318]) +
    disc('#ffe3a6', [770, 118, 66]) +
    `<circle cx="770" cy="118" r="98" fill="#ffe3a6" opacity="0.4"/>` +
    rect('#e9d3b4', [0, 452, 960, 88]) +
    rect('#dcc29d', [0, 452, 960, 9]) +
    at({ x: 480, y: 296, scale: 1.04 }, calendar()) +
    at({ x: 142, y: 482, scale: 0.92 }, branches + vase) +
    at({ x: 812, y: 486, scale: 0.9 }, mug()) +
    `</svg>`
  )
}

type Entry = {
  /** Key of its largest size; the other sizes append their width. */
  key: string
  purpose: 'gallery' | 'modal'
  alt: string
  draw: () => string
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
    draw: drawModal,
    width: 960,
    height: 540,
    by: ADMIN,
    daysAgo: 9,
  },
  { ...WIDE, key: 'hero', alt: HERO_ALT, draw: drawHero, by: EDITOR, daysAgo: 20 },
  ...GALLERY_DRAWINGS.map((drawing, index) => ({
    ...WIDE,
    ...drawing,
    by: index % 2 === 0 ? AUTHOR : EDITOR,
    daysAgo: 12 - index,
  })),
]

function sizesOf({ key, width }: Entry): { key: string; width: number }[] {
  const smaller = IMAGE_WIDTHS.filter((one) => one < width)
  return [...smaller.map((one) => ({ key: `${key} ${one}`, width: one })), { key, width }]
}

/** Every size of every picture of the gallery. The largest is drawn as it is. */
export const GALLERY_PICTURES: readonly Picture[] = ENTRIES.flatMap((entry) =>
  sizesOf(entry).map(({ key, width }) => ({
    key,
    draw: entry.draw,
    ...(width === entry.width ? {} : { width }),
  })),
)

type Seeding = { now: number; mediaFolder: string; pictures: ReadonlyMap<string, string> }

const accountId = (email: string) => idFrom('usr', `account ${email}`)

async function sizeOf(mediaFolder: string, path: string): Promise<number> {
  return (await stat(join(mediaFolder, path.slice('/media/'.length)))).size
}

async function filesOf(entry: Entry, { mediaFolder, pictures }: Seeding) {
  const files = []
  for (const { key, width } of sizesOf(entry)) {
    const path = pictures.get(key)
    // Tests may run without pictures.
    if (path === undefined) return []
    const height = Math.round((entry.height * width) / entry.width)
    files.push({ path, width, height, bytes: await sizeOf(mediaFolder, path) })
  }
  return files
}

async function writeImage(db: Db, entry: Entry, seeding: Seeding): Promise<void> {
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

/** Fills the demo's gallery with pictures drawn before, once. Returns whether this call did it. */
export async function seedGallery(database: Database, seeding: Seeding): Promise<boolean> {
  return seedOnce(database, GALLERY_KEY, async (db) => {
    for (const entry of ENTRIES.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
      await writeImage(db, entry, seeding)
    }
    await writeVersions(db, seeding.now)
  })
}

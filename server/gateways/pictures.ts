import { createHash, randomUUID } from 'node:crypto'
import { access, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTypeOf, HEIC_TYPE, isPictureType } from '#contract/base/file-types.ts'
import { IMAGE_WIDTHS } from '#contract/gallery.ts'
import { AppError } from '#server/kernel/errors.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'

/** One size of a picture, encoded and named but not stored yet. */
export type PictureSize = { path: string; width: number; height: number; file: Buffer }

/** Public pictures: files in one folder, named by the hash of their bytes. */
export type PictureGateway = {
  /**
   * Re-encodes an uploaded picture as a square WebP and stores it, without any of the original bytes. Returns
   * its `/media/…` path. Throws an `image_…` code if the upload is not an accepted picture.
   */
  savePortrait(upload: Uint8Array): Promise<string>
  /**
   * Re-encodes an uploaded picture in every size not larger than the original, smallest first, without any of
   * the original bytes. Throws as `savePortrait` does.
   */
  encodeSizes(upload: Uint8Array): Promise<PictureSize[]>
  /** Writes the files that do not exist yet. */
  save(sizes: readonly PictureSize[]): Promise<void>
  /**
   * Removes a stored picture that is not shown anywhere; does nothing if it is already gone. `isShown` is
   * checked again after the file was moved aside: if it is in use by then, the file is restored.
   */
  removeUnless(isShown: () => Promise<boolean>, path: string): Promise<void>
  /** Removes files that a crashed process left half-written, older than an hour at `now` (epoch ms). */
  sweep(now: number): Promise<void>
}

const PORTRAIT = { width: 512, height: 512, fit: 'cover' } as const
/** Longest side of a scanned document: large enough to read small print. */
const DOCUMENT_SIDE = 2_400
const MAX_SIDE = 1_600
const QUALITY = 82
/** WebP encoder effort, 0 to 6: more is slower and saves little. */
const EFFORT = 2
const MAX_PIXELS = 25_000_000

/** Decoding timeout; normal pictures take one second. Some are crafted to be slow, even with few pixels. */
const DECODE_TIMEOUT = { seconds: 10 }

/** Decoding takes much memory: one at a time, a few in the queue. */
const SEMAPHORE_SIZE = { running: 1, waiting: 4 }

/** Far longer than writing a file or querying the database takes. */
const DRAFT_MAX_AGE_MS = 60 * 60_000

const PATH = /^\/media\/([0-9a-f]{32}\.webp)$/

/**
 * Refuses what the first bytes say is not one of our types of pictures: the decoder also reads SVG and a dozen
 * other formats.
 */
function assertPicture(bytes: Uint8Array): void {
  const type = fileTypeOf(bytes)
  if (type === HEIC_TYPE) throw new AppError('image_heic')
  if (!isPictureType(type)) throw new AppError('image_type')
}

type Fit = { width: number; height: number; fit: 'cover' | 'inside' }

/** Loaded with the first upload: most processes never see one. */
async function loadSharp() {
  return (await import('sharp')).default
}

type Sharp = Awaited<ReturnType<typeof loadSharp>>

/**
 * What decoders only warn of is accepted, as browsers and phones show it: some cameras write wrong scan parameters, or
 * bytes between segments. An incomplete file is an error.
 */
const FAIL_ON = 'error'

/** Opens a picture, rotated by its EXIF orientation, after checking its metadata. */
async function open(sharp: Sharp, bytes: Uint8Array) {
  const options = { limitInputPixels: MAX_PIXELS, failOn: FAIL_ON, animated: true } as const
  const { width, height, pages } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new AppError('image_damaged')
    })
  if ((pages ?? 1) > 1) throw new AppError('image_animated')
  if (width * height > MAX_PIXELS) throw new AppError('image_too_many_pixels')
  return sharp(bytes, { ...options, animated: false })
    .timeout(DECODE_TIMEOUT)
    .autoOrient()
}

async function reencode(bytes: Uint8Array, to: Fit): Promise<Buffer> {
  const picture = await open(await loadSharp(), bytes)
  try {
    return await picture
      .resize({ ...to, position: 'attention', withoutEnlargement: to.fit === 'inside' })
      .webp({ quality: QUALITY })
      .toBuffer()
  } catch {
    throw new AppError('image_damaged')
  }
}

/** Decodes once, and makes every size out of the largest. */
async function reencodeSizes(bytes: Uint8Array): Promise<PictureSize[]> {
  const sharp = await loadSharp()
  const picture = await open(sharp, bytes)
  try {
    const { data, info } = await picture
      .resize({
        width: MAX_SIDE,
        height: MAX_SIDE,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const widths = [...IMAGE_WIDTHS.filter((width) => width < info.width), info.width]
    const { width, height, channels } = info
    const encoded: PictureSize[] = []
    // One after the other, to limit memory.
    for (const side of widths) {
      const one = await sharp(data, { raw: { width, height, channels } })
        .timeout(DECODE_TIMEOUT)
        .resize({ width: side })
        .webp({ quality: QUALITY, effort: EFFORT })
        .toBuffer({ resolveWithObject: true })
      encoded.push({
        path: `/media/${nameOf(one.data)}`,
        width: one.info.width,
        height: one.info.height,
        file: one.data,
      })
    }
    return encoded
  } catch {
    throw new AppError('image_damaged')
  }
}

/** Re-encodes a scanned document as WebP, uncropped and large enough to read. Throws an `image_…` code. */
export async function reencodeDocument(bytes: Uint8Array): Promise<Buffer> {
  assertPicture(bytes)
  return reencode(bytes, { width: DOCUMENT_SIDE, height: DOCUMENT_SIDE, fit: 'inside' })
}

function nameOf(bytes: Buffer): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

async function store(folder: string, bytes: Buffer): Promise<string> {
  const name = nameOf(bytes)
  await makeFolder(folder)
  const draft = join(folder, `.${randomUUID()}.draft`)
  try {
    await writeFile(draft, bytes)
    await rename(draft, join(folder, name))
  } finally {
    await rm(draft, { force: true })
  }
  return `/media/${name}`
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Renames a file; false when there is none. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Moves the file aside first, so that anyone storing the same bytes now finds it missing and writes it again.
 */
async function removeFile(
  folder: string,
  name: string,
  isShown: () => Promise<boolean>,
): Promise<void> {
  const file = join(folder, name)
  // A fixed name: if the process crashes in between, the next try finds the file.
  const asidePath = join(folder, `.${name}.aside`)
  if (!(await isShown())) {
    await moved(file, asidePath)
    if (!(await isShown())) {
      await rm(asidePath, { force: true })
      return
    }
  }
  await moved(asidePath, file)
}

async function deleteOldDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith('.draft'))) {
    const file = join(folder, name)
    // Another process may be faster: then there is nothing left to do.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < now - DRAFT_MAX_AGE_MS) await rm(file, { force: true })
  }
}

/** Keeps pictures in a folder. */
export function makePictures(folder: string): PictureGateway {
  const semaphore = new Semaphore(SEMAPHORE_SIZE)
  return {
    async savePortrait(upload) {
      assertPicture(upload)
      return semaphore.pass(async () => store(folder, await reencode(upload, PORTRAIT)))
    },
    async encodeSizes(upload) {
      assertPicture(upload)
      return semaphore.pass(() => reencodeSizes(upload))
    },
    async save(sizes) {
      for (const { path, file } of sizes) {
        const isStored = await exists(join(folder, path.slice('/media/'.length)))
        if (!isStored) await store(folder, file)
      }
    },
    async removeUnless(isShown, path) {
      const name = PATH.exec(path)?.[1]
      if (name !== undefined) await removeFile(folder, name, isShown)
    },
    sweep: (now) => deleteOldDrafts(folder, now),
  }
}

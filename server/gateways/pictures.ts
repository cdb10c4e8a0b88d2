import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/kernel/errors.ts'
import { Gate } from '#server/kernel/gate.ts'

/** Pictures of the site: files in one folder, named by the hash of their bytes. */
export type PictureGateway = {
  /**
   * Draws an uploaded picture anew as a square webp and keeps that; not a byte of the original is
   * kept. Returns its `/media/…` path. Throws an `image_…` code when it is no picture we take.
   */
  keepPortrait(upload: Uint8Array): Promise<string>
  /** Removes a kept picture; nothing happens when it is gone already. */
  remove(path: string): Promise<void>
}

const PORTRAIT = { width: 512, height: 512, fit: 'cover' } as const
/** Small print can still be read. */
const PAPER_SIDE = 2_400
const QUALITY = 82
const MAX_PIXELS = 25_000_000

/** Decoding takes up to four bytes for each pixel: one at a time, a few waiting. */
const GATE = { running: 1, waiting: 4 }

const PATH = /^\/media\/([0-9a-f]{32}\.webp)$/

function startsWith(bytes: Uint8Array, mark: number[], from = 0): boolean {
  return mark.every((byte, at) => bytes[from + at] === byte)
}

/**
 * Whether bytes are a JPEG, PNG or WebP, decided by the first of them: the library behind also reads
 * SVG and a dozen other formats.
 */
export function isPicture(bytes: Uint8Array): boolean {
  const isJpeg = startsWith(bytes, [0xff, 0xd8, 0xff])
  const isPng = startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const isRiff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46])
  return isJpeg || isPng || (isRiff && startsWith(bytes, [0x57, 0x45, 0x42, 0x50], 8))
}

type Fit = { width: number; height: number; fit: 'cover' | 'inside' }

async function redraw(bytes: Uint8Array, to: Fit): Promise<Buffer> {
  // Loaded with the first upload: most processes never see one.
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'warning', animated: true } as const
  const { width, height, pages } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new AppError('image_damaged')
    })
  if ((pages ?? 1) > 1) throw new AppError('image_animated')
  if (width * height > MAX_PIXELS) throw new AppError('image_too_many_pixels')
  try {
    return await sharp(bytes, { ...options, animated: false })
      .autoOrient()
      .resize({ ...to, position: 'attention', withoutEnlargement: to.fit === 'inside' })
      .webp({ quality: QUALITY })
      .toBuffer()
  } catch {
    throw new AppError('image_damaged')
  }
}

/** A picture of a paper drawn anew as webp, whole, and large enough to be read. */
export function redrawWhole(bytes: Uint8Array): Promise<Buffer> {
  return redraw(bytes, { width: PAPER_SIDE, height: PAPER_SIDE, fit: 'inside' })
}

async function store(folder: string, bytes: Buffer): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${randomUUID()}.draft`)
  try {
    await writeFile(draft, bytes)
    await rename(draft, join(folder, name))
  } finally {
    await rm(draft, { force: true })
  }
  return `/media/${name}`
}

/** Keeps pictures in a folder. */
export function makePictures(folder: string): PictureGateway {
  const gate = new Gate(GATE)
  return {
    keepPortrait: (upload) => {
      if (!isPicture(upload)) return Promise.reject(new AppError('image_type'))
      return gate.pass(async () => store(folder, await redraw(upload, PORTRAIT)))
    },
    async remove(path) {
      const name = PATH.exec(path)?.[1]
      if (name !== undefined) await rm(join(folder, name), { force: true })
    },
  }
}

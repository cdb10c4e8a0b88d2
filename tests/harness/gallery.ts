import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import * as z from 'zod/mini'
import type { StaffRole } from '#contract/base/staff.ts'
import type { Database } from '#db/engine.ts'
import { Browser } from './browser.ts'
import { makeStaff } from './staff.ts'
import { makeTestApp } from './test-app.ts'

const UploadResponse = z.looseObject({
  id: z.optional(z.string()),
  image_url: z.optional(z.string()),
})

/** A plain picture; another colour or size makes a different image. */
export async function makePicture(
  background = '#3366cc',
  [width, height]: readonly [number, number] = [900, 600],
): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3, background } as const
  return new Uint8Array(await sharp({ create }).jpeg().toBuffer())
}

/** A test app with its own media folder, and staff who sign in to it. */
export async function makeGalleryFixture(database?: Database) {
  const path = await mkdtemp(join(tmpdir(), 'apposite-gallery-'))
  const testApp = await makeTestApp({
    config: { dataDir: path },
    ...(database === undefined ? {} : { database }),
  })
  let count = 0
  return {
    testApp,
    /** Files in the media folder. */
    files: async () => {
      const names: string[] = await readdir(join(path, 'media')).catch(() => [])
      return names.toSorted()
    },
    /** Signs in somebody with a role, from a network of their own. */
    async enter(role: StaffRole, email = `${role}@demo.example`) {
      count += 1
      const account = await makeStaff(testApp, role, { email })
      const browser = new Browser(testApp, `10.1.0.${count}`)
      await browser.act('auth.enterDemo', { email })
      return {
        account,
        browser,
        async upload(
          body: BodyInit,
          type = 'image/jpeg',
          { purpose = 'gallery', ...more }: RequestInit & { purpose?: 'gallery' | 'modal' } = {},
        ) {
          const response = await browser.fetch(`/upload/${purpose}-image`, {
            method: 'POST',
            headers: { 'content-type': type },
            body,
            ...more,
          })
          const answer = UploadResponse.parse(await response.json())
          return { status: response.status, headers: response.headers, answer }
        },
        /** Uploads a picture that is accepted, and returns its id and address. */
        async add(background?: string, purpose: 'gallery' | 'modal' = 'gallery') {
          const { answer } = await this.upload(await makePicture(background), 'image/jpeg', {
            purpose,
          })
          return { id: answer.id ?? '', url: answer.image_url ?? '' }
        },
      }
    },
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** A PNG of one colour with one bit per pixel: a few kilobytes that decompress to megabytes. */
export function pixelBomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)), { level: 9 })
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([mark, ...parts])
}

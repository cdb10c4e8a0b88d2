import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import * as z from 'zod/mini'
import type { StaffRole } from '#contract/staff.ts'
import type { Database } from '#db/engine.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

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
          { door = 'gallery', ...more }: RequestInit & { door?: 'gallery' | 'modal' } = {},
        ) {
          const response = await browser.fetch(`/upload/${door}-image`, {
            method: 'POST',
            headers: { 'content-type': type },
            body,
            ...more,
          })
          const answer = UploadResponse.parse(await response.json())
          return { status: response.status, headers: response.headers, answer }
        },
        /** Uploads a picture that is accepted, and returns its id and address. */
        async add(background?: string, door: 'gallery' | 'modal' = 'gallery') {
          const { answer } = await this.upload(await makePicture(background), 'image/jpeg', {
            door,
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

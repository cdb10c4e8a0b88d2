import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { pixelBomb } from '#tests/harness/gallery.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, strangerDenials } from '#tests/harness/test-app.ts'

function plain(width = 900, height = 600) {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
}

const UploadResponse = z.record(z.string(), z.unknown())
const mediaPath: unknown = expect.stringMatching(/^\/media\//)

async function studio() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-photo-'))
  const testApp = await makeTestApp({ config: { dataDir: path } })
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const upload = async (body: BodyInit, type = 'image/jpeg', more: RequestInit = {}) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body, ...more }
    const response = await browser.fetch('/upload/profile-photo', init)
    return { response, answer: UploadResponse.parse(await response.json()) }
  }
  return {
    testApp,
    browser,
    upload,
    files: () => readdir(join(path, 'media')).catch(() => [] as string[]),
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(path, { recursive: true, force: true })
    },
  }
}

const bytes = (buffer: Buffer) => new Uint8Array(buffer)

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s becomes a square webp of one’s own',
  async (format) => {
    await using studio_ = await studio()
    const { upload, browser } = studio_
    const { response, answer } = await upload(
      bytes(await plain().toFormat(format).toBuffer()),
      `image/${format}`,
    )
    expect(response.status).toBe(201)
    expect(answer['profile_image']).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/)
    const served = await browser.fetch(String(answer['profile_image']))
    const meta = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
    expect([meta.format, meta.width, meta.height]).toEqual(['webp', 512, 512])
    expect((await browser.ask('auth.me')).data).toMatchObject({
      profile_image: answer['profile_image'],
    })
  },
)

test('not a byte of the original is kept: no place, no tail', async () => {
  await using studio_ = await studio()
  const { upload, browser } = studio_
  const withPlace = await plain()
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' }, IFD0: { Artist: 'CANARY' } })
    .jpeg()
    .toBuffer()
  const body = Buffer.concat([withPlace, Buffer.from('<script>CANARY</script>PK\u0003\u0004')])
  const { response, answer } = await upload(bytes(body))
  expect(response.status).toBe(201)
  const served = await browser.fetch(String(answer['profile_image']))
  const stored = Buffer.from(await served.arrayBuffer())
  expect(stored.includes('CANARY')).toBe(false)
  expect((await sharp(stored).metadata()).exif).toBeUndefined()
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'

test.each([
  ['an SVG', SVG, 'image/svg+xml'],
  ['an SVG that says it is a PNG', SVG, 'image/png'],
  ['HTML that says it is a PNG', '<html><script>1</script></html>', 'image/png'],
  ['a GIF', 'GIF89a/*', 'image/gif'],
  ['a GIF that says it is a JPEG', 'GIF89a/*', 'image/jpeg'],
  ['nothing', '', 'image/png'],
  ['a form', '--x\r\n', 'multipart/form-data; boundary=x'],
])('%s is refused with 415', async (_what, body, type) => {
  await using studio_ = await studio()
  const { response, answer } = await studio_.upload(body, type)
  expect([response.status, answer['error']]).toEqual([415, 'Upload a JPEG, PNG or WebP image.'])
  expect(answer).toMatchObject({ status: false, code: 'image_type' })
  expect(await studio_.files()).toEqual([])
})

test('36 megapixels are too many, whatever their bytes', async () => {
  await using studio_ = await studio()
  const large = await sharp({
    create: { width: 6_000, height: 6_000, channels: 3, background: '#ffffff' },
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const { response, answer } = await studio_.upload(bytes(large), 'image/png')
  expect([response.status, answer['error']]).toEqual([
    422,
    'Image is too large (25 megapixels at most).',
  ])
})

test.each([16_000, 30_000])('a bomb of %i pixels square is not unfolded', async (side) => {
  await using studio_ = await studio()
  const bomb = pixelBomb(side)
  expect(bomb.length).toBeLessThan(150_000)
  const before = process.memoryUsage().rss
  const { response, answer } = await studio_.upload(bytes(bomb), 'image/png')
  expect([response.status, answer['code']]).toEqual([422, 'image_too_many_pixels'])
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1_024 * 1_024)
  expect(await studio_.files()).toEqual([])
})

test('five megabytes are taken, one byte more is not, with a length or without', async () => {
  await using studio_ = await studio()
  const image = await plain().jpeg().toBuffer()
  const padded = (size: number) => bytes(Buffer.concat([image, Buffer.alloc(size - image.length)]))
  const limit = 5 * 1_024 * 1_024
  expect((await studio_.upload(padded(limit))).response.status).toBe(201)
  const refused = [413, 'Image must be 5 MB or smaller.']
  const over = await studio_.upload(padded(limit + 1))
  expect([over.response.status, over.answer['error']]).toEqual(refused)
  const stream = new ReadableStream({
    start(controller) {
      for (let count = 0; count < 6; count += 1) controller.enqueue(new Uint8Array(1_024 * 1_024))
      controller.close()
    },
  })
  const more: RequestInit & { duplex: 'half' } = { duplex: 'half' }
  const chunked = await studio_.upload(stream, 'image/jpeg', more)
  expect([chunked.response.status, chunked.answer['error']]).toEqual(refused)
  expect(await studio_.files()).toHaveLength(1)
})

test.each([
  ['cut off', (image: Buffer) => image.subarray(0, image.length / 2)],
  ['only a beginning', (image: Buffer) => image.subarray(0, 12)],
  [
    'with its middle garbled',
    (image: Buffer) => {
      const garbled = Buffer.from(image)
      garbled.fill(0xff, 60, image.length - 60)
      return garbled
    },
  ],
])('an image %s is damaged', async (_what, spoil) => {
  await using studio_ = await studio()
  const image = await plain().png().toBuffer()
  const { response, answer } = await studio_.upload(bytes(spoil(image)), 'image/png')
  expect([response.status, answer['error']]).toEqual([422, 'This image is damaged.'])
  expect(await studio_.files()).toEqual([])
})

test('an image that moves is refused', async () => {
  await using studio_ = await studio()
  const frames = await Promise.all(
    ['#ff0000', '#00ff00'].map((background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  const { response, answer } = await studio_.upload(bytes(moving), 'image/webp')
  expect([response.status, answer['code']]).toEqual([422, 'image_animated'])
})

test('a new photo replaces the old one, whose file goes, and it can be removed', async () => {
  await using studio_ = await studio()
  const { upload, testApp, browser, files } = studio_
  await upload(bytes(await plain(90, 90).jpeg().toBuffer()))
  const { answer } = await upload(bytes(await plain(50, 80).negate().jpeg().toBuffer()))
  await testApp.drainOutbox()
  expect(await files()).toEqual([String(answer['profile_image']).slice('/media/'.length)])
  await browser.act('profiles.removePhoto')
  await testApp.drainOutbox()
  expect(await files()).toEqual([])
})

test('one file that two people show stays until both let go of it', async () => {
  await using studio_ = await studio()
  const { upload, testApp, browser, files } = studio_
  const image = bytes(await plain().jpeg().toBuffer())
  await upload(image)
  const other = new Browser(testApp)
  const { account, provider } = await makeProviderAccount(testApp)
  await other.signIn(account)
  const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: image }
  await other.fetch('/upload/profile-photo', init)
  const profile = await other.ask('search.provider', { id: provider.id })
  expect(profile.data).toMatchObject({ photo: mediaPath })
  await browser.act('profiles.removePhoto')
  await testApp.drainOutbox()
  expect(await files()).toHaveLength(1)
  await other.act('profiles.removePhoto')
  await testApp.drainOutbox()
  expect(await files()).toEqual([])
})

test('visitors, staff and other sites upload nothing', async () => {
  await using studio_ = await studio()
  const { testApp, browser } = studio_
  const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: 'x' }
  expect((await new Browser(testApp).fetch('/upload/profile-photo', init)).status).toBe(401)
  const staff = await signInDemoStaff(testApp, 'admin')
  expect((await staff.fetch('/upload/profile-photo', init)).status).toBe(403)
  const foreign = { ...init, headers: { ...init.headers, origin: 'https://evil.example' } }
  expect((await browser.fetch('/upload/profile-photo', foreign)).status).toBe(403)
  const denied = await testApp.database.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'call.denied')
    .execute()
  expect(denied.map(({ entity }) => entity)).toEqual(['/upload/profile-photo'])
  const strangers = await strangerDenials(testApp)
  expect(strangers.map(({ path, count }) => [path, count])).toEqual([['/upload/profile-photo', 2]])
})

describeEngines('concurrent uploads of one person', (makeDatabase) => {
  test('leave one picture: every other is removed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const removed: string[] = []
    let saved = 0
    testApp.services.pictures = {
      ...testApp.services.pictures,
      savePortrait: () => Promise.resolve(`/media/${String((saved += 1)).padStart(32, '0')}.webp`),
      async removeUnless(isShown, path) {
        if (!(await isShown())) removed.push(path)
      },
    }
    const browser = new Browser(testApp)
    await browser.signIn(await makeAccount(testApp))
    const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: 'a picture' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.fetch('/upload/profile-photo', init)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    await testApp.drainOutbox()
    expect(new Set(removed).size).toBe(7)
  })
})

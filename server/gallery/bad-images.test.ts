import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { makeGalleryFixture, makePicture, pixelBomb } from '#tests/harness/gallery.ts'

const LIMIT = 5 * 1_024 * 1_024
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'

const bytes = (buffer: Buffer) => new Uint8Array(buffer)

/** A refused image must leave nothing behind: no files, rows or outbox jobs. */
async function expectNothingStored(
  studio: Awaited<ReturnType<typeof makeGalleryFixture>>,
): Promise<void> {
  const { db } = studio.testApp.database
  expect(await studio.files()).toEqual([])
  expect(await db.selectFrom('gallery_images').select('no').execute()).toEqual([])
  expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
}

test.each([
  ['an SVG with script', SVG, 'image/svg+xml'],
  ['an SVG that says it is a PNG', SVG, 'image/png'],
  ['HTML named .png', '<html><script>1</script></html>', 'image/png'],
  ['a GIF that is JavaScript as well', 'GIF89a/*', 'image/gif'],
  ['one that says it is a JPEG', 'GIF89a/*', 'image/jpeg'],
  ['a form', '--x\r\n', 'multipart/form-data; boundary=x'],
  ['nothing', '', 'image/png'],
])('38: %s is refused with 415', async (_what, body, type) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  for (const purpose of ['gallery', 'modal'] as const) {
    const { status, answer } = await editor.upload(body, type, { purpose })
    expect([status, answer['error']]).toEqual([415, 'Upload a JPEG, PNG or WebP image.'])
  }
  await expectNothingStored(studio)
})

test('39: location, author and trailing data of a JPEG are removed from every size', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const create = { width: 1_000, height: 700, channels: 3, background: '#3366cc' } as const
  const withPlace = await sharp({ create })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' }, IFD0: { Artist: 'CANARY' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">CANARY</x:xmpmeta>')
    .jpeg()
    .toBuffer()
  const body = Buffer.concat([withPlace, Buffer.from('<script>CANARY</script>PK\u0003\u0004')])
  expect((await editor.upload(bytes(body))).status).toBe(201)
  const files = await studio.files()
  expect(files).toHaveLength(3)
  for (const name of files) {
    const stored = Buffer.from(await (await editor.browser.fetch(`/media/${name}`)).arrayBuffer())
    expect(stored.includes('CANARY')).toBe(false)
    const { exif, xmp, format } = await sharp(stored).metadata()
    expect([exif, xmp, format]).toEqual([undefined, undefined, 'webp'])
  }
})

test('39: a sideways photo is rotated upright', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const create = { width: 300, height: 200, channels: 3, background: '#3366cc' } as const
  const body = await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  await editor.upload(bytes(body))
  const { data } = await editor.browser.ask('gallery.images')
  expect(data).toMatchObject({ images: [{ width: 200, height: 300 }] })
})

test.each([16_000, 30_000])('40: %i pixels square are refused without decoding', async (side) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const before = process.memoryUsage().rss
  const { status, answer } = await editor.upload(bytes(pixelBomb(side)), 'image/png')
  expect([status, answer['error']]).toEqual([422, 'Image is too large (25 megapixels at most).'])
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1_024 * 1_024)
  await expectNothingStored(studio)
})

test('41: five megabytes are accepted, one byte more is not, with or without a length', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const image = Buffer.from(await makePicture())
  const padded = (size: number) => bytes(Buffer.concat([image, Buffer.alloc(size - image.length)]))
  const stream = new ReadableStream({
    start(controller) {
      for (let count = 0; count < 6; count += 1) controller.enqueue(new Uint8Array(1_024 * 1_024))
      controller.close()
    },
  })
  const chunked: RequestInit & { duplex: 'half' } = { duplex: 'half' }
  for (const { status, answer } of [
    await editor.upload(padded(LIMIT + 1)),
    await editor.upload(stream, 'image/jpeg', chunked),
  ]) {
    expect([status, answer['error']]).toEqual([413, 'Image must be 5 MB or smaller.'])
  }
  await expectNothingStored(studio)
  expect((await editor.upload(padded(LIMIT))).status).toBe(201)
})

test.each(['../../x', '%00', 'CON', 'x'.repeat(300), '\u202Egnp.exe'])(
  '42: the name %j is ignored, the file is named by its content',
  async (name) => {
    await using studio = await makeGalleryFixture()
    const editor = await studio.enter('editor')
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
    const { status, answer } = await editor.upload(await makePicture(), 'image/jpeg', {
      headers: { 'content-type': 'image/jpeg', 'content-disposition': disposition },
    })
    expect([status, answer.image_url]).toEqual([
      201,
      expect.stringMatching(/^\/media\/[0-9a-f]{32}\.webp$/),
    ])
    for (const file of await studio.files()) expect(file).toMatch(/^[0-9a-f]{32}\.webp$/)
  },
)

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
  [
    'with one bit turned',
    (image: Buffer) => {
      const turned = Buffer.from(image)
      const middle = image.length >> 1
      turned[middle] = (turned[middle] ?? 0) ^ 1
      return turned
    },
  ],
])('43: an image %s is damaged', async (_what, spoil) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const create = { width: 900, height: 600, channels: 3, background: '#3366cc' } as const
  const image = await sharp({ create }).png().toBuffer()
  const { status, answer } = await editor.upload(bytes(spoil(image)), 'image/png')
  expect([status, answer['error']]).toEqual([422, 'This image is damaged.'])
  await expectNothingStored(studio)
})

/** A PNG that declares ten thousand frames. */
async function manyFrames(): Promise<Buffer> {
  const create = { width: 9, height: 9, channels: 3, background: '#3366cc' } as const
  const image = await sharp({ create }).png().toBuffer()
  const data = Buffer.alloc(12)
  data.write('acTL', 0, 'latin1')
  data.writeUInt32BE(10_000, 4)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(8)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data))
  return Buffer.concat([image.subarray(0, 33), length, data, check, image.subarray(33)])
}

test('44: an animated image is refused, with two frames or hundreds', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  for (const count of [2, 400]) {
    const frames = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        sharp({
          create: {
            width: 8,
            height: 8,
            channels: 3,
            background: { r: (at % 2) * 255, g: 0, b: 0 },
          },
        })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    const { status, answer } = await editor.upload(bytes(moving), 'image/webp')
    expect([status, answer['error']]).toEqual([422, 'Upload a still image, not an animation.'])
  }
  await expectNothingStored(studio)
})

test('44: of an animated PNG only the still image is stored', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const { status } = await editor.upload(bytes(await manyFrames()), 'image/png')
  expect([201, 422]).toContain(status)
  for (const name of await studio.files()) {
    const served = await editor.browser.fetch(`/media/${name}`)
    const { pages } = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
    expect(pages ?? 1).toBe(1)
  }
})

test('visitors, patients and other sites cannot upload', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const origin = { 'content-type': 'image/jpeg', origin: 'https://evil.example' }
  const foreign = await editor.upload(await makePicture(), 'image/jpeg', { headers: origin })
  expect([foreign.status, foreign.answer['error']]).toEqual([
    403,
    'Request came from another site.',
  ])
  await editor.browser.act('auth.signOut')
  expect((await editor.upload(await makePicture())).status).toBe(401)
  await expectNothingStored(studio)
})

test('decoding an image has a time limit', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const limited = vi.spyOn(sharp.prototype, 'timeout')
  const decoded = vi.spyOn(sharp.prototype, 'toBuffer')
  try {
    const { status } = await editor.upload(await makePicture(), 'image/jpeg')
    expect(status).toBe(201)
    // Once for the image and once for each size; one more call by the harness, to encode the upload.
    expect(decoded.mock.calls.length).toBeGreaterThan(2)
    expect(limited.mock.calls).toEqual(
      Array.from({ length: decoded.mock.calls.length - 1 }, () => [{ seconds: 10 }]),
    )
  } finally {
    limited.mockRestore()
    decoded.mockRestore()
  }
})

import { readdir, utimes, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { Gallery } from '#contract/gallery.ts'
import type { Browser } from '#tests/harness/browser.ts'
import { makeGalleryFixture, makePicture } from '#tests/harness/gallery.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { purgeImages } from './images.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function gallery(browser: Browser): Promise<Gallery> {
  return Gallery.parse((await browser.ask('gallery.images')).data)
}

/** Invariant 9: the files on the disk are those that rows name. */
async function expectFilesAsRows(studio: {
  testApp: TestApp
  files(): Promise<string[]>
}): Promise<number> {
  await studio.testApp.drainOutbox()
  const rows = await studio.testApp.database.db.selectFrom('gallery_files').select('path').execute()
  const named = new Set(rows.map(({ path }) => path.slice('/media/'.length)))
  expect(await studio.files()).toEqual([...named].toSorted())
  return named.size
}

describeEngines('the gallery', (makeDatabase) => {
  test('an image is stored in several sizes, with alternative text, and every role sees it', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const author = await studio.enter('author')
    expect(await gallery(author.browser)).toEqual({ images: [], mine: { files: 0, bytes: 0 } })
    const { answer, status } = await author.upload(await makePicture('#225588', [3_000, 1_500]))
    expect([status, answer]).toEqual([
      201,
      { status: true, id: answer.id, image_url: answer.image_url },
    ])
    await author.browser.act('gallery.describe', { id: answer.id, alt: ' A blue wall ' })
    const editor = await studio.enter('editor')
    const { images } = await gallery(editor.browser)
    expect(images).toMatchObject([
      {
        id: answer.id,
        image_url: answer.image_url,
        alt: 'A blue wall',
        width: 1_600,
        height: 800,
        by: 'Ada Lindqvist',
        isMine: false,
        uploadedAt: '2026-03-02T09:00:00.000Z',
      },
    ])
    expect(images[0]?.sizes.map(({ width, height }) => [width, height])).toEqual([
      [400, 200],
      [800, 400],
      [1_200, 600],
      [1_600, 800],
    ])
    for (const size of images[0]?.sizes ?? []) {
      const served = await author.browser.fetch(size.image_url)
      expect(served.headers.get('content-type')).toBe('image/webp')
      const meta = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
      expect([meta.format, meta.width]).toEqual(['webp', size.width])
    }
    const { mine } = await gallery(author.browser)
    expect(mine).toEqual({ files: 1, bytes: images[0]?.bytes })
    expect(await expectFilesAsRows(studio)).toBe(4)
    const audit = await studio.testApp.database.db
      .selectFrom('audit')
      .select(['action', 'entity', 'actor_id'])
      .where('type', '=', 'gallery')
      .orderBy('no')
      .execute()
    const by = { entity: answer.id, actor_id: author.account.id }
    expect(audit).toEqual([
      { action: 'gallery.uploaded', ...by },
      { action: 'gallery.described', ...by },
    ])
  })

  test('the same image, uploaded twice or concurrently, is stored once', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const editor = await studio.enter('editor')
    const admin = await studio.enter('admin')
    const body = await makePicture()
    const sent = await Promise.all(
      [editor, admin, editor].map((person) => person.upload(body.slice())),
    )
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(sent.map(({ answer }) => answer.id)).size).toBe(1)
    expect((await gallery(editor.browser)).images).toHaveLength(1)
    expect(await expectFilesAsRows(studio)).toBe(3)
  })

  test('an author removes and describes their own images, an editor any', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const author = await studio.enter('author')
    const editor = await studio.enter('editor')
    const theirs = await editor.add('#111111')
    const own = await author.add('#222222')
    for (const [path, more] of [
      ['remove', {}],
      ['describe', { alt: 'Mine' }],
    ] as const) {
      const { status } = await author.browser.act(`gallery.${path}`, { id: theirs.id, ...more })
      expect(status).toBe(403)
    }
    expect((await author.browser.act('gallery.remove', { id: own.id })).status).toBe(200)
    expect((await author.browser.act('gallery.remove', { id: own.id })).code).toBe('not_found')
    expect((await gallery(author.browser)).images.map(({ id }) => id)).toEqual([theirs.id])
    expect((await editor.browser.act('gallery.remove', { id: theirs.id })).status).toBe(200)
    expect(await expectFilesAsRows(studio)).toBe(0)
  })

  test('the homepage’s image cannot be removed; a version’s image keeps its files until no version needs it', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { browser, ...editor } = await studio.enter('editor')
    const first = await editor.add('#111111')
    const second = await editor.add('#222222')
    await browser.act('gallery.publishImage', { image_url: first.url })
    const inUse = await browser.act('gallery.remove', { id: first.id })
    expect([inUse.status, inUse.message]).toEqual([
      409,
      'This image is on the homepage. Choose another one for the homepage first.',
    ])
    await browser.act('gallery.publishImage', { image_url: second.url })
    await browser.act('gallery.remove', { id: first.id })
    expect((await gallery(browser)).images.map(({ id }) => id)).toEqual([second.id])
    const refused = await browser.act('gallery.publishImage', { image_url: first.url })
    expect(refused.code).toBe('image_not_in_gallery')
    await purgeImages(studio.testApp.services)
    expect(await expectFilesAsRows(studio)).toBe(6)
    // Restoring a version restores the image, in the gallery too.
    await browser.act('gallery.restore', { to: 1 })
    expect((await gallery(browser)).images).toHaveLength(2)
    await browser.act('gallery.publishImage', { image_url: second.url })
    await browser.act('gallery.remove', { id: first.id })
    for (let no = 10; no < 30; no += 1) {
      await browser.act('gallery.publishColor', { color: `#0000${no}` })
    }
    expect(await expectFilesAsRows(studio)).toBe(3)
  })

  test('an unsaved modal image is deleted, a saved one is not', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { browser, ...editor } = await studio.enter('editor')
    await editor.add('#111111', 'modal')
    const saved = await editor.add('#222222', 'modal')
    const words = { modal_heading: 'Open', modal_description: 'On Sundays.', show_modal: true }
    await browser.act('gallery.publishModal', { ...words, modal_image: saved.url })
    studio.testApp.advance(30 * MINUTE)
    await purgeImages(studio.testApp.services)
    expect(await expectFilesAsRows(studio)).toBe(6)
    studio.testApp.advance(HOUR)
    await purgeImages(studio.testApp.services)
    expect(await expectFilesAsRows(studio)).toBe(3)
    const homepage = await studio.testApp.caller().gallery.homepage()
    expect(homepage).toMatchObject({ modal_image: saved.url, modal_sizes: [{}, {}, {}] })
  })

  test('a failed upload leaves no file', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    const { pictures } = testApp.services
    // The process dies before it can clean up.
    const died = Promise.withResolvers<never>()
    died.promise.catch(() => undefined)
    const kept = Promise.withResolvers<void>()
    testApp.services.pictures = {
      ...pictures,
      save: async (sizes) => {
        await pictures.save(sizes)
        kept.resolve()
        return died.promise
      },
    }
    void editor.upload(await makePicture())
    await kept.promise
    testApp.services.pictures = pictures
    expect(await studio.files()).toHaveLength(3)
    await testApp.drainOutbox()
    expect(await studio.files()).toHaveLength(3)
    testApp.advance(HOUR)
    expect(await expectFilesAsRows(studio)).toBe(0)
    died.reject(new Error('gone'))
  })

  test('an image added while being removed keeps its files', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    for (let round = 0; round < 10; round += 1) {
      const { id } = await editor.add()
      await editor.browser.act('gallery.remove', { id })
      await Promise.all([testApp.drainOutbox(), editor.add()])
      expect(await expectFilesAsRows(studio)).toBe(3)
    }
  })
})

test('an account may store fifty images, also with concurrent uploads', async () => {
  await using studio = await makeGalleryFixture()
  const { testApp } = studio
  const { db } = testApp.database
  const editor = await studio.enter('editor')
  const { id } = await editor.add()
  const { no, ...row } = await db.selectFrom('gallery_images').selectAll().executeTakeFirstOrThrow()
  expect(no).toBe(1)
  const others = Array.from({ length: 47 }, (_, at) => ({
    ...row,
    id: `img_${String(at).padStart(26, '9')}`,
    image_url: `/media/${String(at).padStart(32, '0')}.webp`,
  }))
  await db.insertInto('gallery_images').values(others).execute()
  const bodies = await Promise.all(
    ['#010101', '#020202', '#030303', '#040404'].map((one) => makePicture(one)),
  )
  const sent = await Promise.all(bodies.map((body) => editor.upload(body)))
  expect(sent.map(({ status }) => String(status)).toSorted()).toEqual(['201', '201', '409', '409'])
  const full = sent.find(({ status }) => status === 409)
  expect(full?.answer['error']).toBe(
    'You’ve reached your account’s limit of 50 images or 100 MB. Remove one first.',
  )
  await testApp.drainOutbox()
  expect(await studio.files()).toHaveLength(9)
  await editor.browser.act('gallery.remove', { id })
  expect((await editor.upload(await makePicture('#050505'))).status).toBe(201)
  await db.updateTable('gallery_images').set({ bytes: 2_100_000 }).execute()
  await editor.browser.act('gallery.remove', { id: `img_${'9'.repeat(25)}1` })
  expect((await editor.upload(await makePicture('#060606'))).status).toBe(409)
  // Another account has a separate limit.
  const admin = await studio.enter('admin')
  expect((await admin.upload(await makePicture('#060606'))).status).toBe(201)
})

test('an author may add twenty images a day, and is told how long to wait', async () => {
  await using studio = await makeGalleryFixture()
  const author = await studio.enter('author')
  const body = await makePicture('#334455', [40, 30])
  for (let count = 0; count < 20; count += 1) {
    expect((await author.upload(body.slice())).status).toBe(201)
  }
  const { status, headers, answer } = await author.upload(body.slice())
  expect([status, answer['code']]).toEqual([429, 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(HOUR / 1_000)
  const editor = await studio.enter('editor')
  expect((await editor.upload(body.slice())).status).toBe(201)
})

test('a partial file of a crashed process is deleted, a fresh one is not', async () => {
  await using studio = await makeGalleryFixture()
  const { testApp } = studio
  const editor = await studio.enter('editor')
  await editor.add()
  const folder = `${testApp.services.config.dataDir}/media`
  await writeFile(`${folder}/.new.draft`, 'x')
  await testApp.services.pictures.sweep(Date.now())
  expect(await readdir(folder)).toContain('.new.draft')
  await utimes(`${folder}/.new.draft`, 0, 0)
  await testApp.services.pictures.sweep(Date.now())
  expect(await readdir(folder)).not.toContain('.new.draft')
})

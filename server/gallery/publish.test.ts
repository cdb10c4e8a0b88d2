import { expect, test } from 'vitest'
import { HOMEPAGE_ID, HomepageVersions } from '#contract/gallery.ts'
import type { Browser } from '#tests/harness/browser.ts'
import { makeGalleryFixture } from '#tests/harness/gallery.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

test('by default the homepage is white, without image or modal', async () => {
  await using testApp = await makeTestApp()
  expect(await testApp.caller().gallery.homepage()).toEqual({
    image_url: null,
    color: '#ffffff',
    modal_image: null,
    show_modal: false,
    modal_heading: '',
    modal_description: '',
    image_alt: '',
    image_sizes: [],
    modal_sizes: [],
  })
})

test('the homepage record has its documented names, and no other record exists', async () => {
  await using testApp = await makeTestApp()
  const record = {
    image_url: `/media/${'0f'.repeat(16)}.webp`,
    color: '#0b6b5b',
    modal_image: null,
    modal_heading: 'Open on Sundays',
    modal_description: 'From March.',
  }
  await testApp.database.db
    .insertInto('homepage')
    .values([
      { ...record, id: HOMEPAGE_ID, show_modal: 1, updated_at: 0 },
      { ...record, id: 'other', modal_heading: 'Not this', show_modal: 0, updated_at: 1 },
    ])
    .execute()
  expect(await testApp.caller().gallery.homepage()).toEqual({
    ...record,
    show_modal: true,
    image_alt: '',
    image_sizes: [],
    modal_sizes: [],
  })
})

const words = { modal_heading: 'Open on Sundays', modal_description: 'From March.' }

/** The sizes of a 900 × 600 picture; only the URL of the largest is known. */
function sizesOf(url: string): unknown[] {
  return [
    expect.objectContaining({ width: 400, height: 267 }),
    expect.objectContaining({ width: 800, height: 533 }),
    { image_url: url, width: 900, height: 600 },
  ]
}

const homepageOf = (testApp: TestApp) => testApp.caller().gallery.homepage()

async function versions(browser: Browser): Promise<HomepageVersions> {
  return HomepageVersions.parse((await browser.ask('gallery.versions')).data)
}

async function audited({ database: { db } }: TestApp, action: string) {
  return db
    .selectFrom('audit')
    .select(['actor_id', 'entity', 'details'])
    .where('action', '=', action)
    .orderBy('no')
    .execute()
}

describeEngines('what staff publish', (makeDatabase) => {
  test('a version beyond a database integer is refused as input', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { browser } = await studio.enter('editor')
    const version = 2 ** 31
    const answers = await Promise.all([
      browser.act('gallery.publishColor', { version, color: '#0f766e' }),
      browser.act('gallery.publishModal', { ...words, version, show_modal: false }),
      browser.act('gallery.restore', { to: version }),
    ])
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array<string>(3).fill('400 invalid_input'),
    )
  })

  test('image, colour and modal are visible at once, each audited', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    const image = await editor.add()
    const notice = await editor.add('#aa3311', 'modal')
    const { data } = await editor.browser.act('gallery.publishImage', { image_url: image.url })
    expect(data).toMatchObject({ image_url: image.url, version: 1 })
    await editor.browser.act('gallery.publishColor', { color: '#E3F1EC' })
    const modal = { ...words, show_modal: true, modal_image: notice.url }
    await editor.browser.act('gallery.publishModal', modal)
    expect(await homepageOf(testApp)).toEqual({
      image_url: image.url,
      color: '#e3f1ec',
      modal_image: notice.url,
      show_modal: true,
      ...words,
      image_alt: '',
      image_sizes: sizesOf(image.url),
      modal_sizes: sizesOf(notice.url),
    })
    const by = { actor_id: editor.account.id, entity: '1' }
    expect(await audited(testApp, 'homepage.changed')).toEqual([
      { ...by, details: '{"what":"image","version":1}' },
      { ...by, details: '{"what":"color","version":2}' },
      { ...by, details: '{"what":"modal","version":3}' },
    ])
  })

  test('the last twenty versions have author, time and change, and each can be restored', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    const admin = await studio.enter('admin')
    await editor.browser.act('gallery.publishColor', { color: '#000001' })
    testApp.advance(60_000)
    await admin.browser.act('gallery.publishModal', { ...words, show_modal: true })
    const first = await versions(editor.browser)
    expect(first.current).toMatchObject({ version: 2, color: '#000001', show_modal: true })
    expect(first.versions).toMatchObject([
      { version: 2, by: 'Ada Lindqvist', act: 'modal', at: '2026-03-02T09:01:00.000Z' },
      { version: 1, by: 'Ada Lindqvist', act: 'color', at: '2026-03-02T09:00:00.000Z' },
      { version: 0, by: null, act: 'start', homepage: { color: '#ffffff', show_modal: false } },
    ])
    const { data } = await editor.browser.act('gallery.restore', { to: 0, version: 2 })
    expect(data).toMatchObject({ version: 3, color: '#ffffff', modal_heading: '' })
    expect((await versions(editor.browser)).versions[0]).toMatchObject({
      act: 'restored',
      restored: 0,
    })
    for (let no = 4; no <= 25; no += 1) {
      const color = `#0000${String(no).padStart(2, '0')}`
      await editor.browser.act('gallery.publishColor', { color })
    }
    const kept = (await versions(editor.browser)).versions.map(({ version }) => version)
    expect(kept).toEqual(Array.from({ length: 20 }, (_, at) => 25 - at))
    const gone = await editor.browser.act('gallery.restore', { to: 5 })
    expect([gone.status, gone.code]).toEqual([404, 'not_found'])
    expect(await homepageOf(testApp)).toMatchObject({ color: '#000025' })
  })

  test('two editors do not overwrite each other; changes of different fields do not conflict', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    const admin = await studio.enter('admin')
    const seen = { version: 0 }
    const outcomes = await Promise.all([
      editor.browser.act('gallery.publishColor', { ...seen, color: '#111111' }),
      admin.browser.act('gallery.publishColor', { ...seen, color: '#222222' }),
    ])
    expect(outcomes.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    const late = outcomes.find(({ status }) => status === 409)
    expect([late?.code, late?.message]).toEqual([
      'homepage_changed',
      'Someone else has changed this since you opened it. Check it again, then save. What you typed is still here.',
    ])
    // The modal does not conflict with the colour.
    const notice = { ...seen, ...words, show_modal: true }
    expect((await admin.browser.act('gallery.publishModal', notice)).status).toBe(200)
    // A version covers everything, so restoring one needs the newest.
    const back = await admin.browser.act('gallery.restore', { ...seen, to: 0 })
    expect([back.status, back.code]).toEqual([409, 'homepage_changed'])
    expect((await audited(testApp, 'homepage.changed')).length).toBe(2)
    expect((await homepageOf(testApp)).modal_heading).toBe('Open on Sundays')
  })

  test('an unchanged value makes no version, also when two editors save it', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const editor = await studio.enter('editor')
    const wish = { version: 0, color: '#0b6b5b' }
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => editor.browser.act('gallery.publishColor', wish)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await versions(editor.browser)).versions.map(({ act }) => act)).toEqual([
      'color',
      'start',
    ])
    expect((await audited(testApp, 'homepage.changed')).length).toBe(1)
  })

  test('an author cannot publish, and the refusals are audited', async () => {
    await using studio = await makeGalleryFixture(await makeDatabase())
    const { testApp } = studio
    const author = await studio.enter('author')
    const { url } = await author.add()
    for (const [path, input] of [
      ['publishImage', { image_url: url }],
      ['publishColor', { color: 'white' }],
      ['publishModal', { ...words, show_modal: true }],
      ['restore', { to: 0 }],
    ] as const) {
      const { status, code } = await author.browser.act(`gallery.${path}`, input)
      expect([status, code]).toEqual([403, 'editors_only'])
    }
    const modal = await author.upload('x', 'image/png', { purpose: 'modal' })
    expect(modal.status).toBe(403)
    expect((await audited(testApp, 'call.denied')).map(({ entity }) => entity)).toEqual([
      'gallery.publishImage',
      'gallery.publishColor',
      'gallery.publishModal',
      'gallery.restore',
      '/upload/modal-image',
    ])
    expect(await homepageOf(testApp)).toMatchObject({ image_url: null, show_modal: false })
  })
})

test.each([
  ['white', '#ffffff'],
  [' Teal ', '#008080'],
  ['#AbCdEf', '#abcdef'],
])('the colour %j is stored as %s', async (color, kept) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  await editor.browser.act('gallery.publishColor', { color: '#000000' })
  const { data } = await editor.browser.act('gallery.publishColor', { color })
  expect(data).toMatchObject({ color: kept })
})

test.each([['#fff'], ['rgb(1,2,3)'], [''], ['red;}'], ['url(//evil)'], ['#gggggg'], [7], [null]])(
  'the colour %j is refused',
  async (color) => {
    await using studio = await makeGalleryFixture()
    const editor = await studio.enter('editor')
    const { status, code, message } = await editor.browser.act('gallery.publishColor', { color })
    expect([status, code, message]).toEqual([
      400,
      'color_invalid',
      'Choose a colour such as #0b6b5b, or one of the named ones.',
    ])
  },
)

test.each([
  ['https://evil.example/x.webp'],
  ['//evil.example/x.webp'],
  // oxlint-disable-next-line no-script-url -- the value that must be refused
  ['javascript:alert(1)'],
  ['../../etc/passwd'],
  ['/media/../secret.webp'],
  ['http://localhost:8000/media/00000000000000000000000000000000.webp'],
  [`/media/${'0'.repeat(32)}.webp`],
  [''],
])('45: %s is not an image of the gallery, and the homepage is unchanged', async (image_url) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const { url } = await editor.add()
  await editor.browser.act('gallery.publishImage', { image_url: url })
  const before = await homepageOf(studio.testApp)
  const asImage = await editor.browser.act('gallery.publishImage', { image_url })
  const notice = { ...words, show_modal: true, modal_image: image_url }
  const asModal = await editor.browser.act('gallery.publishModal', notice)
  for (const { status, message } of [asImage, asModal]) {
    expect([status, message]).toEqual([400, 'Choose an image from the gallery.'])
  }
  expect(await homepageOf(studio.testApp)).toEqual(before)
})

test('a modal image is not offered for the homepage', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const { url } = await editor.add('#445566', 'modal')
  const { code } = await editor.browser.act('gallery.publishImage', { image_url: url })
  expect(code).toBe('image_not_in_gallery')
  expect((await editor.browser.ask('gallery.images')).data).toMatchObject({ images: [] })
})

test.each([
  ['no heading', { modal_heading: ' ' }, 'modal_heading', 'Enter a heading.'],
  [
    'a long heading',
    { modal_heading: 'x'.repeat(121) },
    'modal_heading',
    'Use 120 characters or fewer.',
  ],
  [
    'a heading of two lines',
    { modal_heading: 'a\nb' },
    'modal_heading',
    'Use only letters, numbers and punctuation.',
  ],
  ['no description', { modal_description: '\n' }, 'modal_description', 'Enter a description.'],
  [
    'a long description',
    { modal_description: 'x'.repeat(2001) },
    'modal_description',
    'Use 2,000 characters or fewer.',
  ],
  [
    'text that turns round',
    { modal_description: 'a\u202Eb' },
    'modal_description',
    'Use only letters, numbers and punctuation.',
  ],
])('a modal with %s is refused beside its field', async (_what, change, path, message) => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const input = { ...words, show_modal: true, ...change }
  const { status, issues } = await editor.browser.act('gallery.publishModal', input)
  expect([status, issues]).toEqual([400, [{ path, message }]])
  expect(await homepageOf(studio.testApp)).toMatchObject({ show_modal: false })
})

test('markup in the modal is plain text, and its image stays until removed', async () => {
  await using studio = await makeGalleryFixture()
  const editor = await studio.enter('editor')
  const { url } = await editor.add('#445566', 'modal')
  const modal_description = 'a\r\n<img onerror=alert(1)> {{7*7}}'
  const notice = { modal_heading: '<b>', modal_description, show_modal: false }
  await editor.browser.act('gallery.publishModal', { ...notice, modal_image: url })
  await editor.browser.act('gallery.publishModal', { ...notice, show_modal: true })
  expect(await homepageOf(studio.testApp)).toMatchObject({
    modal_heading: '<b>',
    modal_description: 'a\n<img onerror=alert(1)> {{7*7}}',
    modal_image: url,
    show_modal: true,
  })
  await editor.browser.act('gallery.publishModal', { ...notice, modal_image: null })
  expect(await homepageOf(studio.testApp)).toMatchObject({ modal_image: null })
})

test('no stored or served image address contains a host', async () => {
  await using studio = await makeGalleryFixture()
  const { testApp } = studio
  const editor = await studio.enter('editor')
  const { url } = await editor.add()
  const notice = await editor.add('#445566', 'modal')
  await editor.browser.act('gallery.publishImage', { image_url: url })
  await editor.browser.act('gallery.publishModal', {
    ...words,
    show_modal: true,
    modal_image: notice.url,
  })
  const { db } = testApp.database
  const everything = JSON.stringify([
    await db.selectFrom('homepage').selectAll().execute(),
    await db.selectFrom('homepage_versions').selectAll().execute(),
    await db.selectFrom('gallery_images').selectAll().execute(),
    await db.selectFrom('gallery_files').selectAll().execute(),
    await homepageOf(testApp),
    (await editor.browser.ask('gallery.images')).data,
    (await editor.browser.ask('gallery.versions')).data,
  ])
  expect(everything).toContain(url)
  expect(everything).not.toContain('://')
  expect(everything).not.toContain('localhost')
})

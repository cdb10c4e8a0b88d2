import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { StaffRole } from '#contract/staff.ts'
import { PASSWORD } from '#tests/harness/accounts.ts'
import { Program } from '#tests/harness/servers/rest.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

async function enter(testApp: TestApp, role: StaffRole = 'editor'): Promise<Program> {
  const { email } = await makeStaff(testApp, role)
  const program = new Program(testApp)
  const answer = await program.send('POST /admin-login/', { body: { email, password: PASSWORD } })
  program.token = String(answer.body['access'])
  return program
}

/** A picture of one colour, so that different colours give different images. */
async function picture(red = 90): Promise<Buffer<ArrayBuffer>> {
  const background = { r: red, g: 140, b: 120 }
  const bytes = await sharp({ create: { width: 1_200, height: 800, channels: 3, background } })
    .png()
    .toBuffer()
  return Buffer.from(bytes)
}

function form(fields: Record<string, string | Blob>, name = 'a.png'): FormData {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(field, value)
    else data.append(field, value, name)
  }
  return data
}

async function image(type = 'image/png', red = 90): Promise<Blob> {
  return new Blob([await picture(red)], { type })
}

const mediaUrl: unknown = expect.stringMatching(/^\/media\/[0-9a-f]{32}\.webp$/)

test('POST admin-gallery/{id}/ answers 201 with image_url, GET lists it, and it can be published', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  const sent = await program.send('POST /admin-gallery/1/', {
    body: form({ image: await image() }),
  })
  expect([sent.status, sent.body['image_url']]).toEqual([201, mediaUrl])
  expect(sent.body['message']).toBe(
    `Image uploaded successfully: ${String(sent.body['image_url'])}`,
  )
  const listed = await program.fetch('GET /admin-gallery/1/')
  expect(await listed.json()).toMatchObject([{ image_url: sent.body['image_url'] }])
  const published = await program.send('POST /homepage-image/1/', {
    body: { image_url: sent.body['image_url'] },
  })
  expect([published.status, published.body['message']]).toEqual([200, 'Homepage image updated!'])
  const shown = await new Program(testApp).send('GET /homepage-image/1/')
  expect(shown.body).toMatchObject({ status: true, image_url: sent.body['image_url'] })
  expect(JSON.stringify(shown.body)).not.toContain('://')
})

test('POST homepage-image/{id}/ takes a color, and the form of the modal with its image', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  const color = await program.send('POST /homepage-image/1/', { body: { color: 'White' } })
  expect([color.status, color.body['message'], color.body['color']]).toEqual([
    200,
    'Homepage color updated!',
    '#ffffff',
  ])
  const fields = { modal_heading: 'Flu jabs', modal_description: 'From Monday on.' }
  const saved = await program.send('POST /homepage-image/1/', {
    body: form({ ...fields, show_modal: 'true', modal_image: await image() }),
  })
  expect([saved.status, saved.body['message']]).toEqual([200, 'Modal settings updated!'])
  expect(saved.body).toMatchObject({ ...fields, show_modal: true, modal_image: mediaUrl })
  // A form without a chosen file, and with the box unticked.
  const empty = new Blob([], { type: 'application/octet-stream' })
  const again = await program.send('POST /homepage-image/1/', {
    body: form({ ...fields, modal_image: empty }, ''),
  })
  expect(again.body).toMatchObject({ show_modal: false, modal_image: saved.body['modal_image'] })
})

test('another id than the one has no homepage and no gallery', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  for (const call of [
    'GET /homepage-image/2/',
    'POST /homepage-image/2/',
    'GET /admin-gallery/2/',
    'POST /admin-gallery/2/',
  ]) {
    const sent = call.startsWith('GET')
      ? {}
      : { body: call.includes('gallery') ? form({ image: await image() }) : { color: '#ffffff' } }
    expect([call, (await program.send(call, sent)).status]).toEqual([call, 404])
  }
})

test('38, 41, 42, 43: what is no picture of ours is refused, whatever it is called', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  const upload = (blob: Blob, name?: string) =>
    program.send('POST /admin-gallery/1/', { body: form({ image: blob }, name) })
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' })
  const vector = await upload(svg, 'a.png')
  expect([vector.status, vector.body['error']]).toEqual([415, 'Upload a JPEG, PNG or WebP image.'])
  const html = await upload(new Blob(['<script>1</script>'], { type: 'image/png' }))
  expect([415, 422]).toContain(html.status)
  const huge = await upload(new Blob([Buffer.alloc(5_242_881)], { type: 'image/png' }))
  expect([huge.status, huge.body['error']]).toEqual([413, 'Image must be 5 MB or smaller.'])
  const half = (await picture()).subarray(0, 400)
  const damaged = await upload(new Blob([half], { type: 'image/png' }))
  expect([damaged.status, damaged.body['error']]).toEqual([422, 'This image is damaged.'])
  const named = await upload(await image('application/octet-stream', 91), '../../x\u202egnp.exe')
  expect([named.status, named.body['image_url']]).toEqual([201, mediaUrl])
  const none = await program.send('POST /admin-gallery/1/', { body: form({ image: 'no file' }) })
  expect(none.status).toBe(415)
})

const SCRIPT = ['java', 'script:alert(1)'].join('')

test.each(['https://evil.example/a.webp', '//evil.example/a.webp', SCRIPT, '../a'])(
  '45: image_url %s is not one of the gallery, and the homepage stays',
  async (image_url) => {
    await using testApp = await makeTestApp()
    const program = await enter(testApp)
    const answer = await program.send('POST /homepage-image/1/', { body: { image_url } })
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      'Choose an image from the gallery.',
    ])
    const shown = await program.send('GET /homepage-image/1/')
    expect(shown.body['image_url']).toBeNull()
  },
)

test('a picture sent twice under one key is one, and another under it is refused', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  const send = async (red: number) =>
    program.send('POST /admin-gallery/1/', {
      body: form({ image: await image('image/png', red) }),
      headers: { 'idempotency-key': 'gallery-0123456789' },
    })
  const first = await send(90)
  const again = await send(90)
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await send(91)).status).toBe(422)
})

test('nothing or both things at once are no change of the homepage', async () => {
  await using testApp = await makeTestApp()
  const program = await enter(testApp)
  for (const body of [{}, { color: '#ffffff', image_url: `/media/${'a'.repeat(32)}.webp` }]) {
    expect((await program.send('POST /homepage-image/1/', { body })).status).toBe(400)
  }
})

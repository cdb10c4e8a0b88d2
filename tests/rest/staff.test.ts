import sharp from 'sharp'
import { expect, test } from 'vitest'
import { errorMessage } from '#contract/base/sentences.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { isoFile } from '#tests/harness/phone-photos.ts'
import { Program, programOfStaff, rowsOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { addProof, setRegister } from '#tests/harness/verification.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const text: unknown = expect.any(String)

test('POST admin-login/ returns access, and failures in error', async () => {
  await using testApp = await makeTestApp()
  const { account, answer } = await programOfStaff(testApp, 'superuser')
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: true, access: text, refresh: text, user_id: account.id, is_admin: true },
  ])
  const program = new Program(testApp)
  const wrong = await program.send('POST /admin-login/', {
    body: { email: account.email, password: 'not it at all' },
  })
  expect([wrong.status, wrong.body['error']]).toEqual([401, 'Email or password is incorrect.'])
  const patient = await makeAccount(testApp)
  const other = await program.send('POST /admin-login/', {
    body: { email: patient.email, password: PASSWORD },
  })
  expect(other.status).toBe(401)
})

test('staff browsers get cookies instead of access', async () => {
  await using testApp = await makeTestApp()
  const { account } = await programOfStaff(testApp, 'superuser')
  const browser = new Browser(testApp)
  const response = await browser.fetch('/admin-login/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: PASSWORD }),
  })
  expect(await response.json()).toEqual({ status: true, user_id: account.id, is_admin: true })
  expect(browser.cookie('access_token')).toHaveLength(43)
})

test('GET payments-history/ accepts the documented filters; names are for roles that may see them', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'superuser')
  const provider = await makeProvider(testApp)
  const patient = await makeAccount(testApp)
  const visit = { patientNo: patient.no, startsAt: '2026-02-03T14:30:00Z' }
  await insertVisit(testApp, provider, visit)
  const path =
    'GET /payments-history/?page=1&sort=asc&payment_method=stripe&sort_by=amount&month=02&year=2026'
  const answer = await program.send(path)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    current_page: 1,
    total_pages: 1,
    appointments: [
      {
        id: text,
        user_name: 'Maya Ellis',
        doctor_name: 'Dr Amara Okafor',
        date: '03/02/2026',
        start_time: '14:30',
        amount: '60.00',
        payment_method: 'stripe',
        doctor_region: 'uk',
      },
    ],
  })
  const { program: editor } = await programOfStaff(testApp, 'editor')
  const blank = await editor.send(path)
  expect(blank.body['appointments']).toMatchObject([{ user_name: null }])
})

test.each([
  ['month=02', 'Please enter a year'],
  ['sort_by=password', 'Unknown sort field.'],
  ['page=0', 'Choose a page between 1 and 10,000.'],
])('50, 51: payments-history/?%s is refused', async (query, sentence) => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'superuser')
  const { status, body } = await program.send(`GET /payments-history/?${query}`)
  expect([status, body['error'], body['message']]).toEqual([400, sentence, sentence])
  const old = await program.send('GET /payments-history/?month=02&year=999')
  expect([old.status, old.body['appointments']]).toEqual([200, []])
})

test('super-user-management/: listed, added with 201, changed with 200, removed with the object as body', async () => {
  await using testApp = await makeTestApp()
  const { program, account } = await programOfStaff(testApp, 'superuser')
  const path = '/super-user-management/'
  const added = await program.send(`POST ${path}`, {
    body: { email: 'Grace@Mail.example', role: 'editor', password: 'seven green bottles' },
  })
  expect(added.status).toBe(201)
  const listed = await program.send(`GET ${path}`)
  const grace = { _id: text, email: 'grace@mail.example', role: 'editor', state: 'invited' }
  expect(listed.body['data']).toEqual([
    { _id: account.id, email: account.email, role: 'superuser', state: 'active' },
    grace,
  ])
  const [, made] = rowsOf(listed.body['data'])
  const changed = await program.send(`PATCH ${path}`, {
    body: { id: made?.['_id'], role: 'admin' },
  })
  expect([changed.status, changed.body['message']]).toEqual([
    200,
    'User role updated successfully!',
  ])
  const stale = await program.send(`DELETE ${path}`, { body: made })
  expect([stale.status, stale.body['code']]).toEqual([409, 'staff_changed'])
  expect(stale.body['detail']).toBe(stale.body['message'])
  const gone = await program.send(`DELETE ${path}`, { body: { ...made, role: 'admin' } })
  expect(gone.status).toBe(200)
  expect((await program.send(`GET ${path}`)).body['data']).toHaveLength(1)
})

test('52, 53, 58: missing fields, unknown roles, known addresses, the last superuser, no id', async () => {
  await using testApp = await makeTestApp()
  const { program, account } = await programOfStaff(testApp, 'superuser')
  const path = '/super-user-management/'
  const add = { email: 'grace@mail.example', role: 'editor', password: 'seven green bottles' }
  for (const field of ['email', 'role', 'password']) {
    const answer = await program.send(`POST ${path}`, { body: { ...add, [field]: '' } })
    expect([field, answer.status, answer.body['error']]).toEqual([
      field,
      400,
      'All fields are required.',
    ])
  }
  const root = await program.send(`POST ${path}`, { body: { ...add, role: 'root' } })
  expect([root.status, root.body['error']]).toEqual([
    400,
    'Choose superuser, admin, editor or author.',
  ])
  await program.send(`POST ${path}`, { body: add })
  expect((await program.send(`POST ${path}`, { body: add })).status).toBe(409)
  const norole = await program.send(`PATCH ${path}`, { body: { id: account.id } })
  expect([norole.status, norole.body['error']]).toEqual([400, 'Please select a role.'])
  const self = await program.send(`PATCH ${path}`, { body: { id: account.id, role: 'author' } })
  expect([self.status, self.body['error']]).toEqual([409, 'At least one superuser must remain.'])
  const gone = await program.send(`DELETE ${path}`, { body: { _id: account.id } })
  expect(gone.status).toBe(409)
  const nobody = await program.send(`DELETE ${path}`)
  expect([nobody.status, nobody.body['error']]).toEqual([400, 'Which item? Send its id.'])
  const unknown = await program.send(`DELETE ${path}?_id=usr_none`)
  expect(unknown.status).toBe(404)
})

test('PATCH membership-number-verification/{id}/ with verification_status alone decides', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'admin')
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', provider.no)
    .execute()
  const path = `PATCH /admin/membership-number-verification/${provider.id}/`
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor', status: 'Erased' }])
  const struck = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([struck.status, struck.body['code']]).toEqual([409, 'register_disagrees'])
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const unproven = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([unproven.status, unproven.body['code']]).toEqual([409, 'proof_required'])
  await addProof(testApp, provider.id)
  testApp.advance(1_000)
  const verified = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([verified.status, verified.body]).toEqual([
    200,
    {
      status: true,
      message: 'Verification status updated successfully',
      verification_status: 'Verified',
    },
  ])
  const refused = await program.send(path, { body: { verification_status: 'Unverified' } })
  expect([refused.status, refused.body['verification_status']]).toEqual([200, 'Unverified'])
  const word = await program.send(path, { body: { verification_status: 'Perhaps' } })
  expect(word.status).toBe(400)
  const nobody = await program.send('PATCH /admin/membership-number-verification/1/', {
    body: { verification_status: 'Verified' },
  })
  expect(nobody.status).toBe(404)
})

test('staff look up any number, and see a provider who is not Verified', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'admin')
  await setRegister(testApp, 'GMC', [{ number: '7000009', name: 'Somebody Else' }])
  const found = await program.send('POST /api/gmc_verification/', { body: '7000009' })
  expect(found.body).toEqual({ Name: 'Somebody Else', registration_number: '7000009' })
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', provider.no)
    .execute()
  const path = `GET /api/provider-details/${provider.id}/`
  expect((await program.send(path)).body['data']).toMatchObject({
    _id: provider.id,
    first_name: 'Amara',
    last_name: 'Okafor',
    registed_with: { professional_body_name: 'GMC', membership_number: '7000001' },
    verification_status: 'Unverified',
  })
  const { program: editor } = await programOfStaff(testApp, 'editor')
  expect((await editor.send(path)).status).toBe(404)
})

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

test('POST admin-gallery/{id}/ returns 201 with image_url, GET lists it, and it can be published', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
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

test('POST homepage-image/{id}/ accepts a color, and the form of the modal with its image', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
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

test('any other id has no homepage and no gallery', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
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

test('38, 41, 42, 43: a file that is not an accepted image is refused, whatever its name', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
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
  const misnamed = await upload(await image('image/jpg', 92), 'a.heic')
  expect([misnamed.status, misnamed.body['image_url']]).toEqual([201, mediaUrl])
  const heic = await upload(
    new Blob([new Uint8Array(isoFile('heic'))], { type: '' }),
    'IMG_0001.HEIC',
  )
  expect([heic.status, heic.body['error']]).toEqual([415, errorMessage('image_heic')])
  const none = await program.send('POST /admin-gallery/1/', { body: form({ image: 'no file' }) })
  expect(none.status).toBe(415)
})

const SCRIPT = ['java', 'script:alert(1)'].join('')

test.each(['https://evil.example/a.webp', '//evil.example/a.webp', SCRIPT, '../a'])(
  '45: image_url %s is not one of the gallery, and the homepage is unchanged',
  async (image_url) => {
    await using testApp = await makeTestApp()
    const { program } = await programOfStaff(testApp, 'editor')
    const answer = await program.send('POST /homepage-image/1/', { body: { image_url } })
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      'Choose an image from the gallery.',
    ])
    const shown = await program.send('GET /homepage-image/1/')
    expect(shown.body['image_url']).toBeNull()
  },
)

test('an image sent twice with one key is stored once, and another with it is refused', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
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

test('a change of the homepage is exactly one of the two', async () => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
  for (const body of [{}, { color: '#ffffff', image_url: `/media/${'a'.repeat(32)}.webp` }]) {
    expect((await program.send('POST /homepage-image/1/', { body })).status).toBe(400)
  }
})

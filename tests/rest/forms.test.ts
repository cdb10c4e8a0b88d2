import { expect, test } from 'vitest'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Program, programOf } from '#tests/harness/servers/rest.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const FORMS = ['POST /homepage-image/1/', 'POST /admin-gallery/1/']
const TYPE = 'multipart/form-data; boundary=x'

function formOf(parts: number, value: string): string {
  const part = (_: unknown, at: number) =>
    `--x\r\nContent-Disposition: form-data; name="field${at}"\r\n\r\n${value}\r\n`
  return `${Array.from({ length: parts }, part).join('')}--x--\r\n`
}

/** 50,000 parts in 3.4 MB. */
const MANY = formOf(50_000, 'twelve bytes')

/** Sends a body in chunks and returns how much of it was read before the response. */
async function send(program: Program, call: string, text: string) {
  const bytes = Buffer.from(text)
  let pulled = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(bytes.subarray(pulled, pulled + 65_536)))
        pulled += 65_536
        if (pulled >= bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const [method = '', path = ''] = call.split(' ')
  const headers = new Headers({ 'content-type': TYPE })
  if (program.token !== null) headers.set('authorization', `Bearer ${program.token}`)
  const init = { method, headers, body, duplex: 'half' }
  const response = await program.testApp.app.fetch(
    new Request(`http://localhost:3000${path}`, init),
  )
  return { status: response.status, answer: await response.text(), pulled }
}

async function editor(testApp: TestApp): Promise<Program> {
  const { email } = await makeStaff(testApp, 'editor')
  const program = new Program(testApp)
  const answer = await program.send('POST /admin-login/', { body: { email, password: PASSWORD } })
  program.token = String(answer.body['access'])
  return program
}

test.each(FORMS)(
  '%s: nothing is read of a form that a stranger or a patient sends',
  async (call) => {
    await using testApp = await makeTestApp()
    expect(MANY.length).toBeGreaterThan(3_400_000)
    const stranger = await send(new Program(testApp), call, MANY)
    expect([stranger.status, stranger.pulled]).toEqual([401, 0])
    const patient = await programOf(testApp, await makeAccount(testApp))
    const refused = await send(patient, call, MANY)
    expect([refused.status, refused.pulled]).toEqual([403, 0])
  },
)

test.each(FORMS)('%s: of whoever has called too often nothing is read', async (call) => {
  await using testApp = await makeTestApp()
  const program = await editor(testApp)
  for (let count = 0; count < limits.all.calls; count += 1) {
    testApp.services.limiter.take('all', 'unknown')
  }
  const refused = await send(program, call, formOf(3, 'v'))
  expect([refused.status, refused.pulled]).toEqual([429, 0])
})

test.each(FORMS)('%s: a form of more than ten parts is not parsed', async (call) => {
  await using testApp = await makeTestApp()
  const program = await editor(testApp)
  for (const parts of [11, 50_000]) {
    const { status, answer } = await send(program, call, formOf(parts, 'twelve bytes'))
    expect([parts, status]).toEqual([parts, 400])
    expect(answer).toContain('Send at most 10 parts.')
  }
  const ten = await send(program, call, formOf(10, 'v'))
  expect(ten.answer).toContain('field9')
})

test.each([
  ['no mark at its beginning', `hello\r\n${formOf(1, 'v')}`],
  ['a head without an end', `--x\r\n${'A: b\r\n'.repeat(100_000)}\r\n\r\nv\r\n--x--\r\n`],
  ['nothing in it', '\r\n'],
])('a form with %s is not parsed', async (_what, body) => {
  await using testApp = await makeTestApp()
  const program = await editor(testApp)
  const { status, answer } = await send(program, 'POST /homepage-image/1/', body)
  expect([status, answer]).toEqual([400, expect.stringContaining('The form could not be read.')])
})

test('a call counts once, whatever stands between its admission and its procedure', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp, '192.0.2.77')
  const body = {
    first_name: 'Ada',
    last_name: 'Moss',
    email: 'a@b.example',
    message: 'Hello there',
  }
  const statuses: number[] = []
  for (let count = 0; count <= limits.contact.calls; count += 1) {
    statuses.push((await program.send('POST /api/contact-us/', { body })).status)
  }
  expect(statuses.slice(0, -1).every((status) => status < 300)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
})

import { expect, test } from 'vitest'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import { restCalls } from '#server/rest/calls.ts'
import { makeToken } from '#tests/harness/access-tokens.ts'
import {
  type MadeAccount,
  makeAccount,
  makeProviderAccount,
  PASSWORD,
} from '#tests/harness/accounts.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { fieldsOf, Program, programOf } from '#tests/harness/servers/rest.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const KEY = { 'idempotency-key': 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' }
const SUPER = '/super-user-management/'

type Example = {
  as?: 'patient' | 'provider' | 'staff' | 'refresh' | undefined
  call: string
  body: unknown
  other: unknown
}

async function staffProgram(testApp: TestApp, account: MadeAccount): Promise<Program> {
  const program = new Program(testApp)
  const body = { email: account.email, password: PASSWORD }
  const { access } = await fieldsOf(await program.fetch('POST /admin-login/', { body }))
  program.token = String(access)
  return program
}

async function signInProgram(testApp: TestApp, as: Example['as']): Promise<Program> {
  if (as === 'staff') return staffProgram(testApp, await makeStaff(testApp, 'superuser'))
  if (as === 'provider') return programOf(testApp, (await makeProviderAccount(testApp)).account)
  return programOf(testApp, await makeAccount(testApp))
}

function keysIn({ database }: TestApp) {
  return database.db.selectFrom('idempotency_keys').select('answer').execute()
}

const question = sampleInputs['messages.contact'] ?? {}
const newcomer = { email: 'grace@mail.example', role: 'editor', password: PASSWORD }

const done: [string, Example][] = [
  [
    'a message',
    {
      as: 'patient',
      call: 'POST /api/contact-us/',
      body: question,
      other: { ...question, message: 'Can you see my daughter on Friday?' },
    },
  ],
  [
    'a colour of the homepage',
    {
      as: 'staff',
      call: `POST /homepage-image/${HOMEPAGE_ID}/`,
      body: { color: '#123456' },
      other: { color: '#654321' },
    },
  ],
  [
    'a new colleague',
    {
      as: 'staff',
      call: `POST ${SUPER}`,
      body: newcomer,
      other: { ...newcomer, email: 'ada@mail.example' },
    },
  ],
]

test.each(done)(
  '%s under a key is taken once over the documented paths too',
  async (_, example) => {
    await using testApp = await makeTestApp()
    const program = await signInProgram(testApp, example.as)
    const { call, body, other } = example
    const first = await program.send(call, { body, headers: KEY })
    expect([first.status, first.body['status']]).toEqual([call.endsWith(SUPER) ? 201 : 200, true])
    const rows = await testApp.database.db.selectFrom('audit').select('id').execute()
    const again = await program.send(call, { body, headers: KEY })
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await testApp.database.db.selectFrom('audit').select('id').execute()).toEqual(rows)
    const reused = await program.send(call, { body: other, headers: KEY })
    expect([reused.status, reused.body['error']]).toEqual([
      422,
      'This request was already used with different details.',
    ])
  },
)

const writes = restCalls.flatMap((call) => ('make' in call || !call.isWrite ? [] : [call]))

test.each(writes.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s keeps a good answer or none: what was refused may be tried again',
  async (_, { method, path, example }) => {
    await using testApp = await makeTestApp()
    const program = await signInProgram(testApp, example.as)
    const url = path.replaceAll(/\{\w+\}/g, (name) => example.params?.[name.slice(1, -1)] ?? 'x')
    const body = method === 'GET' ? {} : { body: example.body ?? {} }
    const sent = { ...body, headers: KEY }
    const first = await program.send(`${method} ${url}`, sent)
    const kept = await keysIn(testApp)
    expect(first.status).not.toBe(500)
    if (first.status >= 400) expect(kept).toEqual([])
    expect(JSON.stringify(kept)).not.toContain(PASSWORD)
  },
)

test('an access token does what it may over the documented paths, and nothing else', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { secret, token } = await makeToken(browser, ['payments:read'])
  const program = new Program(testApp)
  program.token = secret
  const history = `GET /provider/provider-booked-appointment-history/${provider.id}/`
  expect((await program.send(history)).status).toBe(200)
  const bank = await program.send(`GET /provider/provider-bank-details/${provider.id}/`)
  expect([bank.status, bank.body['code']]).toEqual([403, 'access_token_never'])
  const login = { email: account.email, password: PASSWORD, user_type: 'provider' }
  const signIn = await program.send('POST /api/user-login', { body: login })
  expect([signIn.status, signIn.body['code']]).toEqual([403, 'access_token_never'])
  await browser.act('accessTokens.revoke', { id: token.id })
  const dead = await program.send(history)
  expect([dead.status, dead.body['code']]).toEqual([401, 'access_token_invalid'])
  expect((await program.send('GET /api/get-speciality')).status).toBe(401)
})

import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { StaffProvider } from '#contract/verification-staff.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff, signInDemoStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { addProof, setRegister } from '#tests/harness/verification.ts'

const own = { professional_body_name: 'GMC', membership_number: '7000001' }
const good = { number: '7000001', name: 'Amara Okafor' }

/** A verifier, and a signed-in provider in the queue. */
async function open(testApp: TestApp) {
  await setRegister(testApp, 'GMC', [good])
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null })
    .where('no', '=', provider.no)
    .execute()
  const browser = new Browser(testApp, '192.0.2.9')
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const admin = await signInDemoStaff(testApp, 'admin')
  const read = async () => {
    const { data } = await admin.ask('verification.provider', { providerId: provider.id })
    return StaffProvider.parse(data)
  }
  return { provider, browser, admin, read, about: { providerId: provider.id } }
}

/** Rows that a look-up writes. */
async function written({ database: { db } }: TestApp) {
  return {
    checks: await db
      .selectFrom('verification_checks')
      .select(['kind', 'actor_kind', 'outcome', 'source'])
      .execute(),
    audit: await db
      .selectFrom('audit')
      .select(['outcome', 'entity', 'details'])
      .where('action', '=', 'verification.looked_up')
      .execute(),
  }
}

describeEngines('a provider as shown to staff', (makeDatabase) => {
  test('shows editors and authors the practice only once Verified', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, about } = await open(testApp)
    const browsers = [
      await signInDemoStaff(testApp, 'editor'),
      await signInDemoStaff(testApp, 'author'),
    ]
    const seen = () =>
      Promise.all(
        browsers.map(async (browser) => {
          const { data } = await browser.ask('verification.provider', about)
          return StaffProvider.parse(data).practice
        }),
      )
    const hidden = { name: 'Borough Practice', address: '', postcode: '' }
    expect(await seen()).toEqual([hidden, hidden])
    await testApp.database.db
      .updateTable('providers')
      .set({ verification_status: 'Verified' })
      .where('no', '=', provider.no)
      .execute()
    const shown = { name: 'Borough Practice', address: '12 Harper Road', postcode: 'SE1 6ET' }
    expect(await seen()).toEqual([shown, shown])
  })

  test('shows the claim, and the evidence with changes since the previous check', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, browser, admin, read, about } = await open(testApp)
    expect(await read()).toMatchObject({
      providerId: provider.id,
      name: 'Dr Amara Okafor',
      claimedName: 'Amara Okafor',
      specialty: 'GP',
      membership_number: '7000001',
      practice: { name: 'Borough Practice', address: '12 Harper Road', postcode: 'SE1 6ET' },
      registeredOn: '2026-03-02',
      evidence: {
        email: provider.email,
        state: 'waiting',
        check: null,
        history: [],
        asked: [],
        companies: [],
        comingVisits: 0,
      },
    })
    expect((await browser.act('verification.lookUpMine', own)).status).toBe(200)
    testApp.advance(60_000)
    await setRegister(testApp, 'GMC', [{ ...good, status: 'Suspended' }])
    const { status, data } = await admin.act('verification.lookUp', about)
    expect([status, data]).toEqual([
      200,
      {
        answer: {
          Name: 'Amara Okafor',
          registration_number: '7000001',
          standing: 'suspended',
          status_text: 'Suspended',
        },
      },
    ])
    const { evidence } = await read()
    expect(evidence?.check).toEqual(evidence?.history[0])
    expect(evidence?.history).toMatchObject([
      {
        kind: 'look_up',
        by: { kind: 'staff', name: 'Ada Lindqvist' },
        source: 'table 2026-03-02',
        outcome: 'not_in_standing',
        differences: ['standing'],
        changes: ['standing'],
        decision: null,
      },
      { kind: 'look_up', by: { kind: 'provider', name: null }, outcome: 'match', changes: [] },
    ])
  })

  test('with a changed claim needs a new check; earlier checks stay', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, admin, read, about } = await open(testApp)
    await admin.act('verification.lookUp', about)
    await testApp.database.db
      .updateTable('providers')
      .set({ last_name: 'Grant' })
      .where('no', '=', provider.no)
      .execute()
    testApp.advance(1_000)
    const { evidence } = await read()
    expect([evidence?.check, evidence?.history.length]).toEqual([null, 1])
    await admin.act('verification.lookUp', about)
    const now = await read()
    expect(now.evidence?.check).toMatchObject({ outcome: 'differs', changes: ['claim'] })
  })

  test('is not found in another region, or when unknown', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, admin, about } = await open(testApp)
    expect((await admin.ask('verification.provider', { ...about, region: 'uk' })).status).toBe(200)
    for (const input of [{ ...about, region: 'usa' }, { providerId: `prv_${'0'.repeat(26)}` }]) {
      const { status, code } = await admin.ask('verification.provider', input)
      expect([status, code]).toEqual([404, 'not_found'])
    }
    await testApp.database.db
      .updateTable('providers')
      .set({ email: `${provider.id}@erased.invalid` })
      .execute()
    for (const path of ['verification.lookUp', 'verification.askAgain']) {
      const what = path.endsWith('askAgain') ? { what: 'Anything.' } : {}
      expect((await admin.act(path, { ...about, ...what })).status).toBe(404)
    }
    expect((await admin.ask('verification.provider', about)).status).toBe(404)
  })

  test('a look-up by staff changes no decision, and does not count for the provider', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, admin, read, about } = await open(testApp)
    const reason = 'Send the certificate of your name.'
    const refusal = { ...about, seen: 'waiting', verification_status: 'Unverified', reason }
    await admin.act('verification.decide', refusal)
    for (let count = 0; count < 6; count += 1) {
      expect((await admin.act('verification.lookUp', about)).status).toBe(200)
    }
    const { evidence } = await read()
    expect(evidence).toMatchObject({ state: 'refused', reason, check: { outcome: 'match' } })
    const { data } = await browser.ask('verification.mine')
    expect(data).toMatchObject({ state: 'refused', lookUpsLeft: 5 })
  })

  test('is asked for information by email, and waits behind the others until it arrives', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, browser, admin, read, about } = await open(testApp)
    const what = 'Your name is another one in the register.\nWhich is right?'
    const { status, data } = await admin.act('verification.askAgain', { ...about, what })
    expect([status, data]).toEqual([200, { asked: true }])
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.subject).toBe('We need more information to verify you')
    expect(mail.text).toContain('> Your name is another one in the register.\n> Which is right?')
    expect(mail.text).toContain('/provider-verify')
    const asked = {
      at: '2026-03-02T09:00:00.000Z',
      by: 'Ada Lindqvist',
      what,
      about: 'registration',
      isOpen: true,
      answer: null,
    }
    expect((await read()).evidence).toMatchObject({ state: 'waiting', asked: [asked] })
    expect((await browser.ask('verification.mine')).data).toMatchObject({
      asked: { at: asked.at, what },
    })
    testApp.advance(60_000)
    await browser.act('verification.lookUpMine', own)
    expect((await read()).evidence?.asked).toEqual([
      { ...asked, about: 'registration', isOpen: false, answer: null },
    ])
    expect((await browser.ask('verification.mine')).data).toMatchObject({ asked: null })
    const { db } = testApp.database
    const audit = await db
      .selectFrom('audit')
      .select(['entity', 'details'])
      .where('action', '=', 'verification.asked_again')
      .execute()
    expect(audit).toEqual([{ entity: provider.id, details: '{}' }])
  })
})

test('information is not requested from Verified providers, nor more than five times a day', async () => {
  await using testApp = await makeTestApp()
  const { admin, about } = await open(testApp)
  await addProof(testApp, about.providerId)
  const what = 'Your certificate, please.'
  for (let count = 0; count < 5; count += 1) {
    expect((await admin.act('verification.askAgain', { ...about, what })).status).toBe(200)
  }
  expect((await admin.act('verification.askAgain', { ...about, what })).code).toBe('rate_limited')
  await admin.act('verification.decide', {
    ...about,
    seen: 'waiting',
    verification_status: 'Verified',
  })
  testApp.advance(2 * 86_400_000)
  const again = await signInDemoStaff(testApp, 'superuser')
  const late = await again.act('verification.askAgain', { ...about, what })
  expect([late.status, late.code]).toEqual([409, 'decided_meanwhile'])
})

test('any number of a register can be looked up, and only the look-up is audited', async () => {
  await using testApp = await makeTestApp()
  const { admin } = await open(testApp)
  const found = await admin.act('verification.lookUp', own)
  expect(found.data).toMatchObject({
    answer: { Name: 'Amara Okafor', registration_number: '7000001' },
  })
  const nobody = await admin.act('verification.lookUp', { ...own, membership_number: '7999999' })
  expect(nobody.data).toEqual({ answer: null })
  const { checks, audit } = await written(testApp)
  expect(checks).toEqual([])
  expect(audit).toEqual([
    { outcome: 'ok', entity: 'GMC:7000001', details: '{"body":"GMC","outcome":"found"}' },
    { outcome: 'ok', entity: 'GMC:7999999', details: '{"body":"GMC","outcome":"not_found"}' },
  ])
})

test.each([
  [{}],
  [{ professional_body_name: 'GMC' }],
  [{ ...own, membership_number: '7 or 1=1' }],
  [{ ...own, membership_number: '7'.repeat(33) }],
  [{ ...own, providerId: `prv_${'0'.repeat(26)}` }],
])('a look-up without provider or number is refused: %j', async (input) => {
  await using testApp = await makeTestApp()
  const { admin } = await open(testApp)
  expect((await admin.act('verification.lookUp', input)).status).toBe(400)
})

test('everybody together may query the registers thirty times a minute', async () => {
  await using testApp = await makeTestApp()
  const { admin } = await open(testApp)
  const answers = new Map<number, number>()
  for (let count = 0; count < 32; count += 1) {
    const { status, retryAfter } = await admin.act('verification.lookUp', own)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (status === 429) expect(retryAfter).toBeGreaterThan(0)
  }
  expect([...answers]).toEqual([
    [200, 30],
    [429, 2],
  ])
})

/** A register over HTTP with the given responses, in front of a test app. */
async function withRegister(testApp: TestApp, listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  testApp.services.registers = makeRegisters({
    urls: { GMC: `http://127.0.0.1:${address.port}/`, GDC: null, NPI: null },
    table: () => Promise.resolve(null),
    now: testApp.services.now,
  })
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

const respondWith =
  (status: number, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status)
    response.end(body)
  }

const answers: [string, RequestListener, string][] = [
  [
    'a refusal in JSON',
    respondWith(500, '{"error":"Maintenance until 18:00"}'),
    'Maintenance until 18:00',
  ],
  ['a refusal in plain text', respondWith(503, 'Back at six\n'), 'Back at six'],
  ['a refusal without words', respondWith(502, ''), 'Unknown error occurred'],
  [
    'a page in the place of an answer',
    respondWith(200, '<h1>Hello</h1>'),
    'Unexpected response format',
  ],
  ['JSON of another shape', respondWith(200, '{"ok":true}'), 'Unexpected response format'],
  ['text that turns round', respondWith(500, 'A\u202Eb\u0000c'), 'A b c'],
  ['a text without end', respondWith(500, 'x'.repeat(5_000)), `${'x'.repeat(200)}…`],
]

test.each(answers)(
  'a register’s error message is passed on to staff: %s',
  async (_what, listener, message) => {
    await using testApp = await makeTestApp()
    const { admin, browser, about } = await open(testApp)
    await using _register = await withRegister(testApp, listener)
    const outcome = await admin.act('verification.lookUp', about)
    expect([outcome.status, outcome.code, outcome.message]).toEqual([
      502,
      'register_unavailable',
      message,
    ])
    expect(await written(testApp)).toMatchObject({ checks: [], audit: [{ outcome: 'failed' }] })
    // A provider only learns that the register is not answering, not its message.
    expect((await browser.act('verification.lookUpMine', own)).message).toContain(
      'The register is not answering.',
    )
  },
)

test('an unreachable register is reported, and nothing changes', async () => {
  await using testApp = await makeTestApp()
  const { admin, about } = await open(testApp)
  testApp.services.registers = makeRegisters({
    urls: testApp.services.config.registers,
    table: () => Promise.reject(new UpstreamError('The GMC register', null)),
    now: testApp.services.now,
  })
  const { status, message } = await admin.act('verification.lookUp', about)
  expect([status, message]).toEqual([
    502,
    'The register is not answering. Nothing was compared and nothing is lost. Try again later.',
  ])
})

test('names a colleague without a name by their address', async () => {
  await using testApp = await makeTestApp()
  const { read, about } = await open(testApp)
  const nameless = await makeStaff(testApp, 'admin', { first_name: '', last_name: '' })
  const colleague = new Browser(testApp, '192.0.2.20')
  await signInStaff(colleague, nameless.email)
  await colleague.act('verification.lookUp', about)
  await colleague.act('verification.askAgain', { ...about, what: 'Send your certificate.' })
  const { evidence } = await read()
  expect(evidence?.history[0]?.by).toEqual({ kind: 'staff', name: nameless.email })
  expect(evidence?.asked[0]?.by).toBe(nameless.email)
})

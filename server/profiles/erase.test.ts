import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { DataExport } from '#contract/profiles.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { processEvents, storeEvent } from '#server/payments/events/process-events.ts'
import { startCard } from '#server/payments/paying/start-payment.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'

const TABLES = [
  'accounts',
  'sessions',
  'tokens',
  'links',
  'codes',
  'attempts',
  'recovery_codes',
  'consents',
  'favourites',
  'audit',
  'outbox',
  'mails',
  'contact_messages',
  'providers',
  'places',
  'search_index',
  'bookings',
  'payments',
  'gateway_events',
  'idempotency_keys',
] as const

async function dump(testApp: TestApp): Promise<string> {
  const { db } = testApp.database
  const rows = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows)
}

const CONSENT = '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d'
const canary = {
  email: 'canary.bird@mail.example',
  first_name: 'Canary',
  last_name: 'Birdsong',
  phone_number: '020 7946 0777',
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-erase-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

function picture(): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#3366cc' } })
    .jpeg()
    .toBuffer()
}

/** Creates data in every feature module a patient uses. */
async function useEveryFeature(testApp: TestApp, browser: Browser): Promise<void> {
  await browser.act('profiles.saveConsent', {
    consentID: CONSENT,
    preferences: true,
    statistics: false,
  })
  await browser.act('messages.contact', {
    ...canary,
    phone_number: undefined,
    message: 'A question from Canary.',
  })
  await browser.act('auth.changeEmail', { email: 'canary.new@mail.example', password: PASSWORD })
  await browser.fetch('/upload/profile-photo', {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(await picture()),
  })
  await testApp.drainOutbox()
}

function sendingTestApp(dataDir: string): Promise<TestApp> {
  return makeTestApp({
    config: { dataDir },
    mail: { send: () => Promise.resolve('sent') },
  })
}

test('after erasing, nothing that is kept names the person, and no file is left', async () => {
  await using data = await folder()
  await using testApp = await sendingTestApp(data.path)
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await useEveryFeature(testApp, browser)
  expect(await dump(testApp)).toContain('canary.bird')
  expect(await readdir(join(data.path, 'media'))).toHaveLength(1)
  const { status, data: answer } = await browser.act('erasure.erase', { confirm: true })
  expect([status, answer]).toMatchObject([200, { status: true }])
  await testApp.drainOutbox()
  const kept = await dump(testApp)
  expect(kept).not.toMatch(/canary|birdsong|7946 0777|1988-04-17/i)
  expect(kept).not.toContain(CONSENT)
  expect(await readdir(join(data.path, 'media'))).toEqual([])
  expect(browser.jar.size).toBe(0)
  expect((await browser.signIn(account)).code).toBe('credentials_wrong')
})

/** Receives a gateway event about a payment; it names the payer, as real ones do. */
async function receiveEvent(testApp: TestApp, id: string, object: string): Promise<void> {
  await storeEvent(testApp.context(), {
    gateway: 'stripe',
    event: { id, type: 'checkout.session.completed', object },
    body: JSON.stringify({ id, object, customer_details: { email: canary.email } }),
  })
}

describeEngines('erasing', (makeDatabase) => {
  test('what the gateways told about somebody who paid is not kept either', async () => {
    const gateways = makeFakeGateways()
    const mail = { send: () => Promise.resolve('sent' as const) }
    await using testApp = await makeTestApp({ database: await makeDatabase(), gateways, mail })
    const account = await makeAccount(testApp, canary)
    const provider = await makeProvider(testApp)
    const ctx = signedInAs(testApp.services, account)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const hold = await holdSlot(ctx, {
      providerId: provider.id,
      startsAt: '2026-03-03T09:00:00.000Z',
    })
    await verifyCode(ctx, hold.id)
    const { clientSecret } = await startCard(ctx, {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough of Canary that will not go away',
      shown: hold.fees.first_visit,
    })
    const session = clientSecret.replace('_secret', '')
    gateways.pay(session)
    await receiveEvent(testApp, 'evt_done', session)
    await processEvents(testApp.services)
    await testApp.drainOutbox()
    const { db } = testApp.database
    const done = await db.selectFrom('gateway_events').selectAll().executeTakeFirstOrThrow()
    expect(done).toMatchObject({ object: session, body: '' })
    expect(done.processed_at).not.toBeNull()
    // One is pending, because the gateway cannot be reached, and one refers to the payment itself.
    gateways.goAway()
    await receiveEvent(testApp, 'evt_waits', session)
    await receiveEvent(testApp, 'evt_of_the_money', `pi_${session}`)
    await processEvents(testApp.services)
    expect(JSON.stringify(await db.selectFrom('gateway_events').selectAll().execute())).toContain(
      canary.email,
    )
    await browser.act('erasure.erase', { confirm: true })
    await testApp.drainOutbox()
    expect(await dump(testApp)).not.toMatch(/canary/i)
    expect(await db.selectFrom('gateway_events').select('id').execute()).toHaveLength(3)
  })
})

test('the last mail says so, and the address is free for a new account', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  const phone = new Browser(testApp)
  await browser.signIn(account)
  await phone.signIn(account)
  await browser.act('erasure.erase', { confirm: true })
  expect((await lastMailTo(testApp, canary.email)).subject).toBe('Your account was deleted')
  expect((await phone.ask('auth.sessions')).status).toBe(401)
  expect((await phone.act('auth.refresh')).code).toBe('session_ended')
  const again = await makeAccount(testApp, canary)
  expect((await browser.signIn(again)).status).toBe(200)
})

test('it takes a proof of the last five minutes, or a mailed code', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  testApp.advance(5 * 60_000)
  const unproved = await browser.act('erasure.erase', { confirm: true })
  expect([unproved.status, unproved.code]).toEqual([403, 'step_up_required'])
  expect((await browser.act('profiles.exportData')).code).toBe('step_up_required')
  expect((await browser.ask('profiles.details')).data).toMatchObject({ first_name: 'Canary' })
  await browser.act('auth.sendCode', { purpose: 'erase' })
  const otp = codeIn(await lastMailTo(testApp, canary.email))
  expect((await browser.act('auth.checkCode', { purpose: 'erase', otp })).data).toEqual({
    status: true,
  })
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
})

test('a provider who erases their account is not found any more', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  const see = () => new Browser(testApp).ask('search.provider', { id: provider.id })
  expect((await see()).status).toBe(200)
  await browser.signIn(account)
  await browser.act('erasure.erase', { confirm: true })
  await testApp.drainOutbox()
  expect((await see()).code).toBe('provider_not_found')
  const kept = (await dump(testApp)).replaceAll(/"to_address":"[^"]*"/g, '')
  expect(kept).not.toMatch(/Okafor|Harper Road|7000001/)
})

test('everything kept about a person can be taken away', async () => {
  await using data = await folder()
  await using testApp = await makeTestApp({ config: { dataDir: data.path } })
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await useEveryFeature(testApp, browser)
  const { data: taken, headers } = await browser.act('profiles.exportData')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(taken).toMatchObject({
    made_at: '2026-03-02T09:00:00.000Z',
    account: { id: account.id, email: canary.email, phone_number: canary.phone_number },
    provider: null,
    sessions: [{ device: 'Chrome on Windows', network: '192.0.2.1' }],
    consents: [{ id: CONSENT, preferences: 1 }],
    messages: [{ message: 'A question from Canary.' }],
    mails: [{ subject: 'Your email address is about to change' }],
  })
  const { activity } = DataExport.parse(taken)
  expect(activity.map((entry) => entry['action'])).toContain('photo.uploaded')
  expect(JSON.stringify(taken)).not.toMatch(/argon2|password_hash|totp_secret/)
})

test('a provider takes their profile away too', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({
    provider: { id: provider.id, membership_number: '7000001', places: [{ postcode: 'SE1 6ET' }] },
  })
})

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Availability } from '#contract/availability.ts'
import { DataExport } from '#contract/profiles.ts'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import type { Database } from '#db/engine.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { processEvents, storeEvent } from '#server/payments/events/process-events.ts'
import { startCard } from '#server/payments/paying/start-payment.ts'
import { makeAccount, makeProviderAccount, PASSWORD, signedInAs } from '#tests/harness/accounts.ts'
import { newKey, ukAccount } from '#tests/harness/bank-accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { addPlaces, makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { dumpTables, makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { setRegister } from '#tests/harness/verification.ts'
import { insertVisit, verifyCode } from '#tests/harness/visits.ts'

describeEngines('the data export', (makeDatabase) => {
  test('has every change of a patient’s visits, without internal staff notes', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, account: doctor } = await makeProviderAccount(testApp)
    const account = await makeAccount(testApp)
    const { db } = testApp.database
    const start = Date.parse('2026-03-05T09:00:00Z')
    const startsAt = new Date(start).toISOString()
    const { id, no } = await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
    const stranger = await makeAccount(testApp)
    const other = { patientNo: stranger.no, startsAt: '2026-03-06T09:00:00Z' }
    await insertVisit(testApp, provider, { ...other, cancelled: { by: 'patient' } })
    const change = {
      booking_no: no,
      at: testApp.services.now(),
      by_id: null,
      sequence: 1,
      from_at: start,
      reason: null,
      refund_minor: null,
      kept_minor: null,
    }
    await db
      .insertInto('visit_changes')
      .values([
        { ...change, what: 'proposed', by_kind: 'provider', to_at: null, note: 'We close early.' },
        { ...change, what: 'moved', by_kind: 'staff', to_at: start, note: 'Called twice.' },
      ])
      .execute()
    const taken = async (whose: typeof account) => {
      const browser = new Browser(testApp)
      await browser.signIn(whose)
      const { data } = await browser.act('profiles.exportData')
      return DataExport.parse(data).visit_changes
    }
    const proposed = {
      visit_id: id,
      at: '2026-03-02T09:00:00.000Z',
      what: 'proposed',
      by: 'provider',
      from_at: startsAt,
      to_at: null,
      note: 'We close early.',
      currency: 'GBP',
    }
    expect(await taken(account)).toMatchObject([
      proposed,
      { visit_id: id, what: 'moved', by: 'staff', to_at: startsAt, note: null },
    ])
    // A provider's export holds their own actions.
    expect(await taken(doctor)).toMatchObject([proposed])
  })
})

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
async function usePatientFeatures(testApp: TestApp, browser: Browser): Promise<void> {
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

test('after erasing, no stored data names the person, and no file is left', async () => {
  await using data = await folder()
  await using testApp = await sendingTestApp(data.path)
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await usePatientFeatures(testApp, browser)
  expect(await dumpTables(testApp)).toContain('canary.bird')
  expect(await readdir(join(data.path, 'media'))).toHaveLength(1)
  const { status, data: answer } = await browser.act('erasure.erase', { confirm: true })
  expect([status, answer]).toMatchObject([200, { status: true }])
  await testApp.drainOutbox()
  const kept = await dumpTables(testApp)
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
  test('gateway events about a payer are cleared too', async () => {
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
    expect(await dumpTables(testApp)).not.toMatch(/canary/i)
    expect(await db.selectFrom('gateway_events').select('id').execute()).toHaveLength(3)
  })
})

test('the last email confirms it, and the address is free for a new account', async () => {
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

test('it requires a step-up within five minutes, or an emailed code', async () => {
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
  const kept = (await dumpTables(testApp)).replaceAll(/"to_address":"[^"]*"/g, '')
  expect(kept).not.toMatch(/Okafor|Harper Road|7000001/)
})

test('everything stored about a person is in the export', async () => {
  await using data = await folder()
  await using testApp = await makeTestApp({ config: { dataDir: data.path } })
  const account = await makeAccount(testApp, canary)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await usePatientFeatures(testApp, browser)
  const { data: taken, headers } = await browser.act('profiles.exportData')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(taken).toMatchObject({
    made_at: '2026-03-02T09:00:00.000Z',
    account: { id: account.id, email: canary.email, phone_number: canary.phone_number },
    provider: null,
    sessions: [{ device: 'Chrome on Windows', network: '192.0.2.1' }],
    consents: [{ id: CONSENT, preferences: 1 }],
    messages: [{ message: 'A question from Canary.' }],
    mails: [
      { subject: 'Confirm your new email address' },
      { subject: 'Your email address is about to change' },
    ],
  })
  const { activity } = DataExport.parse(taken)
  expect(activity.map((entry) => entry['action'])).toContain('photo.uploaded')
  expect(JSON.stringify(taken)).not.toMatch(/argon2|password_hash|totp_secret/)
})

test('a provider’s export has their profile too', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({
    provider: { id: provider.id, membership_number: '7000001', places: [{ postcode: 'SE1 6ET' }] },
  })
})

const own = { professional_body_name: 'GMC', membership_number: '7654321' }
const named = { first_name: 'Canary', affiliations: '["Canary Society"]' }
const company = { company_name: 'Canary Care Ltd', registration_number: 'CANARY77' }
const Saved = z.object({ saved: z.literal(true), mine: Availability })

async function openProvider(database: Database) {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-provider-'))
  const testApp = await makeTestApp({
    database,
    config: { dataDir },
    mail: { send: () => Promise.resolve('sent') },
  })
  await addPlaces(testApp)
  const { account, provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ ...named, membership_number: own.membership_number })
    .where('no', '=', provider.no)
    .execute()
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const act = async (path: string, input: object) => {
    const outcome = await browser.act(path, input, { 'idempotency-key': newKey() })
    expect([path, outcome.message, outcome.status]).toEqual([path, null, 200])
    return outcome.data
  }
  return {
    testApp,
    browser,
    act,
    files: () => readdir(join(dataDir, 'documents')).catch(() => [] as string[]),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}

type OpenedProvider = Awaited<ReturnType<typeof openProvider>>

/** Creates data in every feature module a provider uses. */
async function useProviderFeatures({ testApp, browser, act }: OpenedProvider): Promise<void> {
  await act('profiles.addPlace', {
    hospital_name: 'Canary Clinic',
    address: '3 Canary Lane',
    postcode: 'se1 6et',
    phone: '020 7946 0777',
  })
  const { data } = await browser.ask('availability.mine')
  const { version, settings, places } = Availability.parse(data)
  const placeId = places[1]?.id ?? ''
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 720 }]
  const { mine } = Saved.parse(await act('availability.saveHours', { version, settings, hours }))
  const { mine: later } = Saved.parse(
    await act('availability.addDates', {
      version: mine.version,
      placeId,
      dates: ['2026-03-07'],
      from: 540,
      to: 720,
      note: 'Canary rota',
    }),
  )
  await act('availability.addAbsence', {
    version: later.version,
    placeId: null,
    from: '2026-03-09',
    to: '2026-03-13',
    note: 'Canary islands',
  })
  await act('bankAccounts.add', { ...ukAccount, key: newKey(), name: 'Canary Savings' })
  await setRegister(testApp, 'GMC', [{ number: own.membership_number, name: 'Canary Other' }])
  await act('verification.lookUpMine', own)
  const upload = async () => {
    const response = await browser.fetch(DOCUMENT_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: '%PDF-1.7 canary %%EOF',
    })
    return DocumentResponse.parse(await response.json()).document
  }
  await act('verification.sendProof', { document: await upload() })
  const document = await upload()
  const address = '7 Canary Wharf, London'
  await act('verification.sendCompany', { ...company, address, document })
}

describeEngines('a provider who has used everything', (makeDatabase) => {
  test('exports everything, and erasing leaves nothing that names them', async () => {
    await using begun = await openProvider(await makeDatabase())
    const { testApp, browser, files } = begun
    await useProviderFeatures(begun)
    await testApp.drainOutbox()
    expect(await files()).toHaveLength(2)
    const taken = JSON.stringify(
      DataExport.parse((await browser.act('profiles.exportData', {})).data),
    )
    for (const trace of [
      'Clinic',
      'Lane',
      'rota',
      'islands',
      'Savings',
      'Other',
      'Care Ltd',
      'Society',
      'Wharf',
    ])
      expect(taken).toContain(`Canary ${trace}`)
    expect(taken).toContain(company.registration_number)
    expect(taken).not.toContain(ukAccount.account_number)
    const { status } = await browser.act('erasure.erase', { confirm: true })
    expect(status).toBe(200)
    await testApp.drainOutbox()
    const kept = (await dumpTables(testApp)).replaceAll(/"to_address":"[^"]*"/g, '')
    expect(kept.match(/.{0,200}(canary|okafor|7654321|7946 0777).{0,60}/gi)).toBeNull()
    expect(await files()).toEqual([])
  })
})

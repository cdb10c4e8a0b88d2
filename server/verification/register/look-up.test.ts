import { expect, test } from 'vitest'
import { OwnVerification } from '#contract/verification.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeUnverifiedProvider, setRegister } from '#tests/harness/verification.ts'

const own = { professional_body_name: 'GMC', membership_number: '7000001' }
const HOUR = 3_600_000

test('before the first look-up there is only the claim', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await makeUnverifiedProvider(testApp)
  expect((await browser.ask('verification.mine')).data).toEqual({
    provider: {
      name: 'Amara Okafor',
      region: 'uk',
      professional_body_name: 'GMC',
      membership_number: '7000001',
    },
    verification_status: 'Unverified',
    state: 'waiting',
    reason: null,
    lostBecause: null,
    asked: null,
    answeredAt: null,
    verifiedAt: null,
    check: null,
    lookUpsLeft: 5,
    proof: { acceptedAt: null, document: null, code: null },
    company: null,
  })
})

test('a look-up stores claim and entry as evidence, queues a match first, and decides nothing', async () => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'AMARA  OKAFOR' }])
  const { browser, provider, account } = await makeUnverifiedProvider(testApp)
  const { data } = await browser.act('verification.lookUpMine', own)
  expect(data).toMatchObject({
    verification_status: 'Unverified',
    state: 'waiting',
    lookUpsLeft: 4,
    check: {
      outcome: 'match',
      differences: [],
      claimed: { name: 'Amara Okafor', registration_number: '7000001' },
      answer: { name: 'AMARA  OKAFOR', standing: 'good' },
    },
  })
  const { db } = testApp.database
  expect(await db.selectFrom('verification_checks').selectAll().execute()).toMatchObject([
    {
      provider_no: provider.no,
      kind: 'look_up',
      at: testApp.services.now(),
      actor_kind: 'provider',
      actor_id: account.id,
      source: 'table 2026-03-02',
      decision: null,
    },
  ])
  expect(await db.selectFrom('provider_standings').selectAll().execute()).toMatchObject([
    { provider_no: provider.no, state: 'waiting', is_match: 1, due_at: null },
  ])
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'entity', 'details'])
    .where('action', '=', 'verification.looked_up')
    .execute()
  expect(rows).toEqual([
    {
      action: 'verification.looked_up',
      entity: provider.id,
      details: '{"body":"GMC","outcome":"match"}',
    },
  ])
})

test.each([
  ['look-alike letters', { number: '7000001', name: 'Am\u0430ra Okafor' }, 'differs', ['name']],
  ['markup for a name', { number: '7000001', name: '<img onerror>' }, 'differs', ['name']],
  [
    'struck off',
    { number: '7000001', name: 'Amara Okafor', status: 'Erased' },
    'not_in_standing',
    ['standing'],
  ],
  ['nobody', { number: '7000002', name: 'Amara Okafor' }, 'not_found', ['number']],
])('%s: Unverified, with the register’s reason', async (_what, entry, outcome, differences) => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [entry])
  const { browser } = await makeUnverifiedProvider(testApp)
  const { data } = await browser.act('verification.lookUpMine', own)
  expect(data).toMatchObject({ verification_status: 'Unverified', check: { outcome, differences } })
  const [row] = await testApp.database.db.selectFrom('provider_standings').selectAll().execute()
  expect(row).toMatchObject({ is_match: 0, state: 'waiting' })
})

test('somebody else’s number is not found, and is not looked up', async () => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [{ number: '7000002', name: 'Ann Lee' }])
  const { browser } = await makeUnverifiedProvider(testApp)
  for (const foreign of [
    { ...own, membership_number: '7000002' },
    { ...own, professional_body_name: 'GDC' },
  ]) {
    const { status, code, data } = await browser.act('verification.lookUpMine', foreign)
    expect([status, code, data]).toEqual([404, 'not_found', undefined])
  }
  const { db } = testApp.database
  expect(await db.selectFrom('verification_checks').selectAll().execute()).toEqual([])
  const bad = await browser.act('verification.lookUpMine', {
    ...own,
    membership_number: '７000001',
  })
  expect([bad.status, bad.code]).toEqual([400, 'invalid_input'])
})

test('a provider may look up their number five times a day', async () => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const { browser, account } = await makeUnverifiedProvider(testApp)
  const left: unknown[] = []
  for (let count = 0; count < 5; count += 1) {
    const { data } = await browser.act('verification.lookUpMine', own)
    left.push(OwnVerification.parse(data).lookUpsLeft)
  }
  expect(left).toEqual([4, 3, 2, 1, 0])
  const sixth = await browser.act('verification.lookUpMine', own)
  expect([sixth.status, sixth.code]).toEqual([429, 'rate_limited'])
  expect(sixth.retryAfter).toBeGreaterThan(HOUR / 1_000)
  testApp.advance(29 * HOUR)
  await browser.signIn(account)
  expect((await browser.ask('verification.mine')).data).toMatchObject({ lookUpsLeft: 5 })
  expect((await browser.act('verification.lookUpMine', own)).status).toBe(200)
})

test('all providers together may look up thirty times a minute', async () => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [])
  const statuses: number[] = []
  for (let at = 0; at < 7; at += 1) {
    const { browser } = await makeUnverifiedProvider(testApp, `10.0.1.${at}`, `700000${at}`)
    for (let count = 0; count < 5; count += 1) {
      const input = { ...own, membership_number: `700000${at}` }
      statuses.push((await browser.act('verification.lookUpMine', input)).status)
    }
  }
  expect(statuses).toEqual([
    ...Array.from({ length: 30 }, () => 200),
    ...Array.from({ length: 5 }, () => 429),
  ])
})

test('a register that does not respond uses up no look-up and changes nothing', async () => {
  await using testApp = await makeTestApp()
  const { browser, provider } = await makeUnverifiedProvider(testApp)
  const { status, code, message } = await browser.act('verification.lookUpMine', own)
  expect([status, code]).toEqual([502, 'register_unavailable'])
  expect(message).toMatch(/^The register is not answering\./)
  testApp.services.registers = makeRegisters({
    urls: testApp.services.config.registers,
    table: () => Promise.reject(new UpstreamError('The GMC register', null)),
    now: testApp.services.now,
  })
  for (let count = 0; count < 6; count += 1) {
    expect((await browser.act('verification.lookUpMine', own)).code).toBe('register_unavailable')
  }
  expect((await browser.ask('verification.mine')).data).toMatchObject({
    lookUpsLeft: 5,
    check: null,
    state: 'waiting',
  })
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['outcome', 'entity'])
    .where('action', '=', 'verification.looked_up')
    .execute()
  expect(rows).toEqual(
    Array.from({ length: 7 }, () => ({ outcome: 'failed', entity: provider.id })),
  )
})

test('a check of an earlier claim is not shown, and a later match returns to the queue', async () => {
  await using testApp = await makeTestApp()
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Grant' }])
  const { browser, provider } = await makeUnverifiedProvider(testApp)
  await browser.act('verification.lookUpMine', own)
  const { db } = testApp.database
  await db
    .updateTable('provider_standings')
    .set({ state: 'refused', reason: 'Another name.' })
    .execute()
  expect((await browser.ask('verification.mine')).data).toMatchObject({
    state: 'refused',
    reason: 'Another name.',
  })
  await db
    .updateTable('providers')
    .set({ last_name: 'Grant' })
    .where('no', '=', provider.no)
    .execute()
  expect((await browser.ask('verification.mine')).data).toMatchObject({ check: null })
  expect((await browser.act('verification.lookUpMine', own)).data).toMatchObject({
    state: 'waiting',
    reason: null,
    check: { outcome: 'match' },
  })
})

const identity = {
  title: 'Dr',
  first_name: 'Amara',
  last_name: 'Okafor',
  specialty: 'gp',
  registed_with: own,
  confirmed: true,
}

function readStanding({ database }: TestApp) {
  return database.db.selectFrom('provider_standings').selectAll().executeTakeFirstOrThrow()
}

describeEngines('a changed claim', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn({ email: provider.email, kind: 'provider' })
    await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
    return { testApp, browser, provider }
  }

  test('is not supported by checks of the old one, and waits for staff again', async () => {
    const { testApp, browser } = await begin()
    expect((await browser.act('verification.lookUpMine', own)).status).toBe(200)
    expect(await readStanding(testApp)).toMatchObject({ state: 'verified', is_match: 1 })
    testApp.advance(60_000)
    const renamed = { ...identity, first_name: 'Amaro' }
    expect((await browser.act('profiles.updateIdentity', renamed)).status).toBe(200)
    expect(await readStanding(testApp)).toMatchObject({
      state: 'waiting',
      is_match: 0,
      due_at: null,
      asked_at: testApp.services.now(),
    })
  })

  test('during a look-up of the old one does not use its response', async () => {
    const { testApp, browser, provider } = await begin()
    const { registers } = testApp.services
    testApp.services.registers = {
      ...registers,
      lookUp: async (...asked) => {
        const answer = await registers.lookUp(...asked)
        const renamed = { ...identity, last_name: 'Oкafor' }
        expect((await browser.act('profiles.updateIdentity', renamed)).status).toBe(200)
        return answer
      },
    }
    const { status, code } = await browser.act('verification.lookUpMine', own)
    expect([status, code]).toEqual([409, 'claim_changed'])
    testApp.services.registers = registers
    const mine = await browser.ask('verification.mine')
    expect(OwnVerification.parse(mine.data)).toMatchObject({
      verification_status: 'Unverified',
      state: 'waiting',
      check: null,
    })
    const { db } = testApp.database
    const matches = await db
      .selectFrom('provider_standings')
      .selectAll()
      .where('provider_no', '=', provider.no)
      .where('is_match', '=', 1)
      .execute()
    expect(matches).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { StaffProvider } from '#contract/verification-staff.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { addProof, setRegister } from '#tests/harness/verification.ts'

const good = { number: '7000001', name: 'AMARA  OKAFOR' }
const reason = 'Send the certificate of your name.\nThen we look again.'

type OpenOptions = { entries?: Parameters<typeof setRegister>[2]; first_name?: string }

/** A provider in the queue, who has proved to be the registrant. */
async function makeWaiting(testApp: TestApp, first_name = 'Amara') {
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null, first_name })
    .where('no', '=', provider.no)
    .execute()
  await addProof(testApp, provider.id)
  return provider
}

/** A signed-in verifier, and a provider in the queue. */
async function open(testApp: TestApp, { entries = [good], first_name }: OpenOptions = {}) {
  await addPlaces(testApp)
  await setRegister(testApp, 'GMC', entries)
  const provider = await makeWaiting(testApp, first_name)
  const admin = await signInDemoStaff(testApp, 'admin')
  const about = { providerId: provider.id, seen: 'waiting' }
  return {
    provider,
    admin,
    verify: { ...about, verification_status: 'Verified' },
    refuse: { ...about, verification_status: 'Unverified', reason },
    decide: (input: object, by = admin) => by.act('verification.decide', input),
  }
}

/** What a provider sees of their own verification. */
async function readMine(testApp: TestApp, { email }: { email: string }) {
  const browser = new Browser(testApp, '192.0.2.9')
  await browser.signIn({ email, kind: 'provider' })
  return (await browser.ask('verification.mine')).data
}

/** Leaves of a provider what erasing their account does. */
async function eraseProvider({ database: { db } }: TestApp, { id }: { id: string }) {
  const email = `${id}@erased.invalid`
  await db.updateTable('providers').set({ email }).where('id', '=', id).execute()
}

/** Everything a decision writes. */
async function written(testApp: TestApp) {
  const { db } = testApp.database
  return {
    providers: await db
      .selectFrom('providers')
      .select(['verification_status', 'verified_at'])
      .execute(),
    standings: await db.selectFrom('provider_standings').selectAll().execute(),
    checks: await db
      .selectFrom('verification_checks')
      .select(['kind', 'actor_kind', 'actor_id', 'at', 'outcome', 'decision', 'reason'])
      .execute(),
    audit: await readAudit(testApp, 'verification.decided'),
    jobs: await db
      .selectFrom('outbox')
      .select('topic')
      .where('topic', 'in', ['verification.decided', 'provider.changed'])
      .orderBy('topic')
      .execute(),
  }
}

/** Providers that patients find near the practice. */
async function found(testApp: TestApp): Promise<string[]> {
  await testApp.drainOutbox()
  const { results } = await testApp.caller().search.providers({ postcode: 'SE1 6ET', radius: 5 })
  return results.map(({ id }) => id)
}

/** Counts of decisions and emails so far. */
async function count(testApp: TestApp): Promise<number[]> {
  const { checks, audit, jobs } = await written(testApp)
  return [checks.length, audit.length, jobs.length]
}

describeEngines('a staff decision', (makeDatabase) => {
  test('Verified lists a provider, records the decision, and emails them', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, decide, verify } = await open(testApp)
    const now = testApp.services.now()
    const { id: staffId } = await testApp.database.db
      .selectFrom('accounts')
      .select('id')
      .where('kind', '=', 'staff')
      .executeTakeFirstOrThrow()
    const { status, data } = await decide(verify)
    expect([status, data]).toMatchObject([
      200,
      {
        providerId: provider.id,
        verification_status: 'Verified',
        state: 'verified',
        reason: null,
        verifiedAt: '2026-03-02T09:00:00.000Z',
        check: { outcome: 'match', answer: { name: 'AMARA  OKAFOR', standing: 'good' } },
      },
    ])
    const details = '{"body":"GMC","outcome":"match","decision":"Verified"}'
    expect(await written(testApp)).toMatchObject({
      providers: [{ verification_status: 'Verified', verified_at: now }],
      standings: [
        { state: 'verified', since: now, is_match: 1, due_at: Date.parse('2026-03-03T02:00:00Z') },
      ],
      checks: [
        {
          kind: 'decision',
          actor_kind: 'staff',
          actor_id: staffId,
          at: now,
          outcome: 'match',
          decision: 'Verified',
          reason: null,
        },
      ],
      audit: [{ outcome: 'ok', entity: provider.id, details }],
      jobs: [{ topic: 'provider.changed' }, { topic: 'verification.decided' }],
    })
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.subject).toBe('You are verified')
    expect(mail.text).toContain('/doctor/availability/new')
    expect(await found(testApp)).toEqual([provider.id])
  })

  test('Unverified hides a provider and emails them the reason', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, decide, verify, refuse } = await open(testApp)
    await decide(verify)
    expect(await found(testApp)).toEqual([provider.id])
    testApp.advance(60_000)
    const { data } = await decide({ ...refuse, seen: 'verified' })
    expect(data).toMatchObject({
      verification_status: 'Unverified',
      state: 'refused',
      reason,
      verifiedAt: null,
    })
    const now = testApp.services.now()
    expect(await written(testApp)).toMatchObject({
      providers: [{ verification_status: 'Unverified', verified_at: null }],
      standings: [{ state: 'refused', reason, since: now, due_at: null }],
      checks: [{ decision: 'Verified' }, { decision: 'Unverified', reason }],
    })
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.subject).toBe('We couldn’t verify your registration')
    expect(mail.text).toContain('Send the certificate of your name.')
    expect(await found(testApp)).toEqual([])
    expect(await readMine(testApp, provider)).toMatchObject({ state: 'refused', reason })
  })

  test('a repeated or concurrent decision is made once, with one email', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { admin, decide, verify } = await open(testApp)
    const other = await signInDemoStaff(testApp, 'superuser')
    const outcomes = await Promise.all([admin, other, admin, other].map((by) => decide(verify, by)))
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(outcomes.map(({ data }) => data)).toEqual(outcomes.map(() => outcomes[0]?.data))
    expect(await count(testApp)).toEqual([1, 1, 2])
  })

  test('of two conflicting concurrent decisions the later one is refused', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { decide, verify, refuse } = await open(testApp)
    const other = await signInDemoStaff(testApp, 'superuser')
    const outcomes = await Promise.all([decide(verify), decide(refuse, other)])
    expect(outcomes.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    const late = outcomes.find(({ status }) => status === 409)
    expect([late?.code, late?.message]).toEqual([
      'decided_meanwhile',
      'Someone else has already decided about this provider. Check it again, then decide.',
    ])
    const { checks, audit } = await written(testApp)
    expect([checks.length, audit.length]).toEqual([1, 1])
  })

  test('a second refusal keeps the first reason, unless it is based on the new state', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { decide, refuse } = await open(testApp)
    const first = await decide(refuse)
    const second = await decide({ ...refuse, reason: 'Another one.' })
    expect(second.data).toEqual(first.data)
    const again = { ...refuse, seen: 'refused' }
    expect((await decide(again)).data).toEqual(first.data)
    // The provider was not listed, so there is no search cache to invalidate.
    expect(await count(testApp)).toEqual([1, 1, 1])
    const better = { ...again, reason: 'Another one.' }
    const changed = (await decide(better)).data
    expect(changed).toMatchObject({ state: 'refused', reason: 'Another one.' })
    expect(await count(testApp)).toEqual([2, 2, 2])
  })

  test('Verified against the register is refused with its status, and stored as evidence', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, decide, verify } = await open(testApp, {
      entries: [{ number: '7000001', name: 'Amara Okafor', status: 'Suspended' }],
    })
    const { status, code, message } = await decide(verify)
    expect([status, code, message]).toEqual([
      409,
      'register_disagrees',
      'The GMC register has the registration as suspended. The provider stays Unverified.',
    ])
    const details = '{"body":"GMC","outcome":"not_in_standing"}'
    expect(await written(testApp)).toMatchObject({
      providers: [{ verification_status: 'Unverified', verified_at: null }],
      checks: [{ kind: 'decision', outcome: 'not_in_standing', decision: null, reason: null }],
      audit: [{ outcome: 'failed', entity: provider.id, details }],
      jobs: [],
    })
  })

  test('nothing is decided while the register does not respond', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { decide, verify, refuse } = await open(testApp)
    testApp.services.registers = makeRegisters({
      urls: testApp.services.config.registers,
      table: () => Promise.reject(new UpstreamError('The GMC register', null)),
      now: testApp.services.now,
    })
    for (const input of [verify, refuse]) {
      const { status, code } = await decide(input)
      expect([status, code]).toEqual([502, 'register_unavailable'])
    }
    expect(await written(testApp)).toMatchObject({
      providers: [{ verification_status: 'Unverified' }],
      standings: [],
      checks: [],
      audit: [{ outcome: 'failed' }, { outcome: 'failed' }],
      jobs: [],
    })
  })
})

test.each([
  ['<img onerror=alert(1)>'],
  ['{{7*7}}'],
  // A Cyrillic letter that looks like the Latin one.
  ['Am\u0430ra'],
])('a provider called %s stays Unverified, and the name is plain text', async (first_name) => {
  await using testApp = await makeTestApp()
  const { provider, decide, verify } = await open(testApp, { first_name })
  const { status, code, message } = await decide(verify)
  expect([status, code, message]).toEqual([
    409,
    'register_disagrees',
    'The GMC register has another name with this number. The provider stays Unverified.',
  ])
  expect(await readMine(testApp, provider)).toMatchObject({
    provider: { name: `${first_name} Okafor` },
    verification_status: 'Unverified',
    check: { claimed: { name: `${first_name} Okafor` }, differences: ['name'] },
  })
})

test.each([
  [[], 'has no such number'],
  [
    [{ number: '7000001', name: 'Ann Lee', status: 'Erased' }],
    'has another name with this number and has ended the registration',
  ],
  [[{ ...good, status: 'Under the moon' }], 'says something we don’t recognise'],
])('a reason is required: %j', async (entries, why) => {
  await using testApp = await makeTestApp()
  const { decide, verify } = await open(testApp, { entries })
  const { message } = await decide(verify)
  expect(message).toBe(`The GMC register ${why}. The provider stays Unverified.`)
})

test.each([
  ['no reason', { reason: undefined }, 'Give the reason: the provider reads it.'],
  ['blanks for a reason', { reason: ' \n ' }, 'Give the reason: the provider reads it.'],
  ['a long reason', { reason: 'x'.repeat(501) }, 'Use 500 characters or fewer.'],
  ['a turned reason', { reason: 'No \u202E' }, 'Use only letters, numbers and punctuation.'],
])('%s is refused beside its field', async (_what, change, message) => {
  await using testApp = await makeTestApp()
  const { decide, refuse } = await open(testApp)
  const { status, issues } = await decide({ ...refuse, ...change })
  expect([status, issues]).toEqual([400, [{ path: 'reason', message }]])
  expect(await count(testApp)).toEqual([0, 0, 0])
})

test('an unknown provider is not found, nor one who erased their account', async () => {
  await using testApp = await makeTestApp()
  const { provider, decide, verify } = await open(testApp)
  const nobody = { ...verify, providerId: `prv_${'0'.repeat(26)}` }
  await eraseProvider(testApp, provider)
  for (const input of [nobody, verify]) {
    const { status, code } = await decide(input)
    expect([status, code]).toEqual([404, 'not_found'])
  }
})

test('a claim changed during the look-up has to be reviewed again', async () => {
  await using testApp = await makeTestApp()
  const { decide, verify } = await open(testApp)
  const { registers } = testApp.services
  testApp.services.registers = {
    ...registers,
    lookUp: async (...asked) => {
      const answer = await registers.lookUp(...asked)
      await testApp.database.db.updateTable('providers').set({ last_name: 'Grant' }).execute()
      return answer
    },
  }
  const { status, code } = await decide(verify)
  expect([status, code]).toEqual([409, 'claim_changed'])
  expect(await count(testApp)).toEqual([0, 0, 0])
})

/** Two accounts with the number of one registrant, both waiting. */
async function openBoth(testApp: TestApp) {
  const { provider: first, admin, decide, verify: about, refuse } = await open(testApp)
  const second = await makeWaiting(testApp)
  const verify = (providerId: string) => decide({ ...about, providerId })
  const read = async (providerId: string) =>
    StaffProvider.parse((await admin.ask('verification.provider', { providerId })).data)
  return { first, second, admin, decide, verify, refuse, read }
}

async function verified({ database: { db } }: TestApp): Promise<string[]> {
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('verification_status', '=', 'Verified')
    .execute()
  return rows.map(({ id }) => id)
}

describeEngines('two accounts with one registration number', (makeDatabase) => {
  test('both are flagged to staff before a decision', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, admin, read } = await openBoth(testApp)
    expect((await read(second.id)).evidence?.sameNumber).toEqual([
      {
        providerId: first.id,
        name: 'Dr Amara Okafor',
        verification_status: 'Unverified',
        registeredOn: '2026-03-02',
      },
    ])
    const { data } = await admin.ask('verification.providers', { list: 'waiting' })
    expect(data).toMatchObject({ providers: [{ isNumberShared: true }, { isNumberShared: true }] })
    // The number of an erased account is no longer claimed.
    await eraseProvider(testApp, first)
    expect((await read(second.id)).evidence?.sameNumber).toEqual([])
    const left = await admin.ask('verification.providers', { list: 'waiting' })
    expect(left.data).toMatchObject({ providers: [{ isNumberShared: false }] })
  })

  test('the second cannot become Verified while the first is, and the evidence says why', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, decide, verify, refuse, read } = await openBoth(testApp)
    expect((await verify(first.id)).status).toBe(200)
    const refused = await verify(second.id)
    expect([refused.status, refused.code]).toEqual([409, 'number_taken'])
    expect(await verified(testApp)).toEqual([first.id])
    const { evidence } = await read(second.id)
    const why = 'The number belongs to another account, which is Verified.'
    expect(evidence?.history).toMatchObject([
      { kind: 'decision', outcome: 'match', decision: null, reason: why },
    ])
    const audit = await readAudit(testApp, 'verification.decided')
    const details = '{"body":"GMC","outcome":"match","code":"number_taken"}'
    const failed = audit.filter(({ outcome }) => outcome === 'failed')
    expect(failed).toMatchObject([{ entity: second.id, details }])
    await decide({ ...refuse, seen: 'verified' })
    expect((await verify(second.id)).status).toBe(200)
    expect(await verified(testApp)).toEqual([second.id])
  })

  test('of two concurrent decisions one wins', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, verify } = await openBoth(testApp)
    const outcomes = await Promise.all([verify(first.id), verify(second.id)])
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await verified(testApp)).toHaveLength(1)
  })
})

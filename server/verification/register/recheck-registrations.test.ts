import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeOwner, makePatient } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { setRegister } from '#tests/harness/verification.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { recheckRegistrations } from './recheck-registrations.ts'

const DAY = 24 * 3_600_000

type RegisteredAs = { number: string; lastName?: string }

/** A Verified provider whose nightly check is due. */
async function verified(testApp: TestApp, { number, lastName = 'Okafor' }: RegisteredAs) {
  const provider = await makeProvider(testApp, { membership_number: number, last_name: lastName })
  const now = testApp.services.now()
  await testApp.database.db
    .insertInto('provider_standings')
    .values({
      provider_no: provider.no,
      state: 'verified',
      since: now,
      reason: null,
      is_match: 1,
      asked_at: now,
      checked_at: now,
      due_at: now,
      doubt_since: null,
    })
    .execute()
  return provider
}

const recheck = (testApp: TestApp) => recheckRegistrations(testApp.services)

async function statusOf(testApp: TestApp, no: number) {
  return testApp.database.db
    .selectFrom('providers as p')
    .innerJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select(['p.verification_status as status', 'p.verified_at', 's.state', 's.reason', 's.due_at'])
    .where('p.no', '=', no)
    .executeTakeFirstOrThrow()
}

async function makeSuspendedProvider(testApp: TestApp) {
  const provider = await verified(testApp, { number: '7000001' })
  const gone = { number: '7000001', name: 'Amara Okafor', status: 'Suspended' }
  await setRegister(testApp, 'GMC', [gone])
  return provider
}

const firstFree = '2026-03-03T09:00:00.000Z'

async function makeTestAppOn(database: Database): Promise<TestApp> {
  return makeTestApp({ database, gateways: makeFakeGateways() })
}

describeEngines('the nightly check', (makeDatabase) => {
  test('leaves confirmed providers alone until the next night', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await verified(testApp, { number: '7000001' })
    await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'AMARA OKAFOR' }])
    await recheck(testApp)
    expect(await statusOf(testApp, provider.no)).toMatchObject({
      status: 'Verified',
      state: 'verified',
      due_at: Date.parse('2026-03-03T02:00:00Z'),
    })
    expect(
      await testApp.database.db.selectFrom('verification_checks').selectAll().execute(),
    ).toEqual([])
  })

  test('hides providers who lost their registration at once, emails them and staff, and keeps visits', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await makeSuspendedProvider(testApp)
    const { ctx } = await makePatient(testApp)
    const visit = await bookVisit(ctx, { providerId: provider.id, startsAt: firstFree })
    await recheck(testApp)
    await recheck(testApp)
    await testApp.drainOutbox()
    expect(await statusOf(testApp, provider.no)).toEqual({
      status: 'Unverified',
      verified_at: null,
      state: 'lost',
      reason: 'standing',
      due_at: null,
    })
    const { db } = testApp.database
    expect(await db.selectFrom('search_index').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('bookings').select(['id', 'state']).execute()).toEqual([
      { id: visit, state: 'confirmed' },
    ])
    expect(await db.selectFrom('verification_checks').selectAll().execute()).toMatchObject([
      {
        kind: 'recheck',
        actor_kind: 'system',
        outcome: 'not_in_standing',
        status_text: 'Suspended',
      },
    ])
    expect(
      await db
        .selectFrom('audit')
        .select(['actor_kind', 'entity', 'details'])
        .where('action', '=', 'verification.lost')
        .execute(),
    ).toEqual([
      {
        actor_kind: 'system',
        entity: provider.id,
        details: '{"body":"GMC","because":"standing"}',
      },
    ])
    const [email] = testApp.mails.filter(({ to }) => to === provider.email).slice(-1)
    expect(email?.subject).toBe('Your profile is hidden for now')
    expect(email?.text).toContain('The GMC register now says this about 7000001: Suspended.')
    expect(email?.text).toContain('/provider-verify')
    const staff = testApp.mails.filter(({ to }) => to === testApp.services.config.supportEmail)
    expect(staff.map(({ subject }) => subject)).toEqual([
      'A provider lost their registration status: GMC 7000001',
    ])
    expect(staff[0]?.text).toContain(`3 March 2026 at 09:00 (London time): ${visit}`)
    expect(staff[0]?.text).not.toMatch(/Maya|Ellis/)
  })

  test('the record of the email to staff goes with the provider’s account', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await makeSuspendedProvider(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(await makeOwner(testApp, provider))
    await recheck(testApp)
    await testApp.drainOutbox()
    const { db } = testApp.database
    const about = () =>
      db.selectFrom('mails').select('to_address').where('subject', 'like', '%7000001').execute()
    expect(await about()).toEqual([{ to_address: testApp.services.config.supportEmail }])
    expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
    await testApp.drainOutbox()
    expect(await about()).toEqual([])
  })

  test('nothing is stored about a provider who erases their account meanwhile', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await verified(testApp, { number: '7000001' })
    const browser = new Browser(testApp)
    await browser.signIn(await makeOwner(testApp, provider))
    testApp.services.registers = {
      paceOf: () => 20,
      lookUp: async () => {
        await browser.act('erasure.erase', { confirm: true })
        await testApp.drainOutbox()
        return null
      },
    }
    await recheck(testApp)
    const { db } = testApp.database
    expect(await db.selectFrom('verification_checks').selectAll().execute()).toEqual([])
  })

  test('a failing check does not block the others', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const numbers = ['7000001', '7000002']
    const people = await Promise.all(numbers.map((number) => verified(testApp, { number })))
    const gone = { name: 'Amara Okafor', status: 'Suspended' }
    await setRegister(
      testApp,
      'GMC',
      numbers.map((number) => ({ number, ...gone })),
    )
    let made = 0
    const newId = (prefix: string) => {
      made += 1
      // The first provider's second id fails.
      if (made === 2) throw new TypeError('null has no such property')
      return testApp.services.newId(prefix)
    }
    await recheckRegistrations({ ...testApp.services, newId })
    const states = await Promise.all(people.map(({ no }) => statusOf(testApp, no)))
    expect(states.map(({ status }) => status).toSorted()).toEqual(['Unverified', 'Verified'])
    expect(testApp.logged.filter(({ level }) => level === 50)).toHaveLength(1)
    await recheck(testApp)
    const later = await Promise.all(people.map(({ no }) => statusOf(testApp, no)))
    expect(later.map(({ state }) => state)).toEqual(['lost', 'lost'])
  })

  test('a vanished number or another name counts only on the second night', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const vanished = await verified(testApp, { number: '7000001' })
    const renamed = await verified(testApp, { number: '7000002' })
    const back = await verified(testApp, { number: '7000003' })
    const grant = { number: '7000002', name: 'Amara Grant' }
    const okafor = { number: '7000003', name: 'Amara Okafor' }
    await setRegister(testApp, 'GMC', [grant])
    await recheck(testApp)
    for (const { no } of [vanished, renamed, back]) {
      expect(await statusOf(testApp, no)).toMatchObject({ status: 'Verified', state: 'verified' })
    }
    testApp.advance(3_600_000)
    await recheck(testApp)
    expect(await statusOf(testApp, vanished.no)).toMatchObject({ status: 'Verified' })
    await setRegister(testApp, 'GMC', [grant, okafor])
    testApp.advance(DAY)
    await recheck(testApp)
    await testApp.drainOutbox()
    expect(await statusOf(testApp, vanished.no)).toMatchObject({
      state: 'lost',
      reason: 'vanished',
    })
    expect(await statusOf(testApp, renamed.no)).toMatchObject({ state: 'lost', reason: 'renamed' })
    expect(await statusOf(testApp, back.no)).toMatchObject({
      status: 'Verified',
      state: 'verified',
    })
    const words = testApp.mails.map(({ text }) => text).join('\n')
    expect(words).toContain('Two nights in a row, the GMC register had no entry for 7000001.')
    expect(words).toContain('had a different name for 7000002: Amara Grant.')
  })

  test('an unavailable register changes nobody’s status, and is queried again in an hour', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await makeSuspendedProvider(testApp)
    let asked = 0
    testApp.services.registers = makeRegisters({
      urls: testApp.services.config.registers,
      table: () => {
        asked += 1
        return Promise.reject(new UpstreamError('The GMC register', null))
      },
      now: testApp.services.now,
    })
    for (let night = 0; night < 5; night += 1) {
      await recheck(testApp)
      await recheck(testApp)
      testApp.advance(DAY)
    }
    expect(asked).toBe(5)
    expect(await statusOf(testApp, provider.no)).toMatchObject({ status: 'Verified' })
    expect(
      await testApp.database.db.selectFrom('verification_checks').selectAll().execute(),
    ).toEqual([])
    testApp.services.registers = makeRegisters({
      urls: testApp.services.config.registers,
      table: () =>
        Promise.resolve({
          registration_number: '7000001',
          name: 'Amara Okafor',
          status_text: 'Suspended',
          source: 'test',
        }),
      now: testApp.services.now,
    })
    await recheck(testApp)
    expect(await statusOf(testApp, provider.no)).toMatchObject({ status: 'Unverified' })
  })

  test.each([1, 3])(
    '%i numbers that a register cannot look up do not keep the others from being checked',
    async (count) => {
      await using testApp = await makeTestAppOn(await makeDatabase())
      const silent = []
      for (let at = 0; at < count; at += 1) {
        silent.push(await verified(testApp, { number: String(7_000_001 + at) }))
      }
      const suspended = await verified(testApp, { number: '7000009' })
      testApp.services.registers = makeRegisters({
        urls: testApp.services.config.registers,
        table: (_body, number) =>
          number === '7000009'
            ? Promise.resolve({
                registration_number: number,
                name: 'Amara Okafor',
                status_text: 'Suspended',
                source: 'test',
              })
            : Promise.reject(new UpstreamError('The GMC register', null)),
        now: testApp.services.now,
      })
      for (let hour = 0; hour < 3; hour += 1) {
        await recheck(testApp)
        testApp.advance(3_600_000)
      }
      expect(await statusOf(testApp, suspended.no)).toMatchObject({ status: 'Unverified' })
      for (const { no } of silent) {
        expect(await statusOf(testApp, no)).toMatchObject({ status: 'Verified' })
      }
    },
  )

  test('a register that has lost most of its entries changes nobody’s status', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const people = []
    for (let at = 0; at < 12; at += 1) {
      people.push(await verified(testApp, { number: String(7_000_001 + at) }))
    }
    await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
    for (let night = 0; night < 3; night += 1) {
      await recheck(testApp)
      testApp.advance(DAY)
    }
    for (const { no } of people) {
      expect(await statusOf(testApp, no)).toMatchObject({ status: 'Verified' })
    }
    expect(testApp.logged.map(({ msg }) => msg)).toContain('a register gives implausible responses')
  })

  test('processes everybody in batches, and two concurrent processes email nobody twice', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const entries = []
    const people = []
    for (let at = 0; at < 95; at += 1) {
      const number = String(7_000_001 + at)
      people.push(await verified(testApp, { number }))
      const status = at % 10 === 0 ? 'Suspended' : 'Registered with licence to practise'
      entries.push({ number, name: 'Amara Okafor', status })
    }
    await setRegister(testApp, 'GMC', entries)
    await Promise.all([recheck(testApp), recheck(testApp)])
    await testApp.drainOutbox()
    const { db } = testApp.database
    const lost = await db.selectFrom('provider_standings').select('state').execute()
    expect(lost.filter(({ state }) => state === 'lost')).toHaveLength(10)
    expect(await db.selectFrom('verification_checks').select('no').execute()).toHaveLength(10)
    expect(testApp.mails).toHaveLength(20)
    const due = await db
      .selectFrom('provider_standings')
      .select('due_at')
      .where('due_at', '<=', testApp.services.now())
      .execute()
    expect(due).toEqual([])
  })

  test('providers Unverified for another reason have no nightly check', async () => {
    await using testApp = await makeTestAppOn(await makeDatabase())
    const provider = await makeSuspendedProvider(testApp)
    await testApp.database.db
      .updateTable('providers')
      .set({ verification_status: 'Unverified' })
      .execute()
    await recheck(testApp)
    expect(await statusOf(testApp, provider.no)).toMatchObject({ state: 'verified', due_at: null })
    expect(await testApp.database.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })
})

test('an external register is queried at most twenty times a run', async () => {
  await using testApp = await makeTestApp()
  for (let at = 0; at < 25; at += 1) await verified(testApp, { number: String(7_000_001 + at) })
  let asked = 0
  testApp.services.registers = {
    paceOf: () => 20,
    lookUp: (_body, registration_number) => {
      asked += 1
      const name = 'Amara Okafor'
      const source = 'register.example'
      return Promise.resolve({
        registration_number,
        name,
        status_text: '',
        standing: 'good',
        source,
      })
    },
  }
  await recheck(testApp)
  expect(asked).toBe(20)
  await recheck(testApp)
  expect(asked).toBe(25)
})

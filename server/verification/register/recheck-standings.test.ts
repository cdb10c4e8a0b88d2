import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makePretendGateways } from '#tests/harness/servers/pretend-gateways.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'
import { recheckStandings } from './recheck-standings.ts'

const DAY = 24 * 3_600_000

type Seen = { number: string; lastName?: string }

/** Somebody Verified whose nightly check is due. */
async function verified(world: World, { number, lastName = 'Okafor' }: Seen) {
  const provider = await makeProvider(world, { membership_number: number, last_name: lastName })
  const now = world.services.now()
  await world.database.db
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

const recheck = (world: World) => recheckStandings(world.services, () => Promise.resolve(true))

async function statusOf(world: World, no: number) {
  return world.database.db
    .selectFrom('providers as p')
    .innerJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select(['p.verification_status as status', 'p.verified_at', 's.state', 's.reason', 's.due_at'])
    .where('p.no', '=', no)
    .executeTakeFirstOrThrow()
}

async function lose(world: World) {
  const provider = await verified(world, { number: '7000001' })
  const gone = { number: '7000001', name: 'Amara Okafor', status: 'Suspended' }
  await setRegister(world, 'GMC', [gone])
  return provider
}

const firstFree = '2026-03-03T09:00:00.000Z'

async function worldOn(database: Database): Promise<World> {
  return makeWorld({ database, gateways: makePretendGateways() })
}

describeEngines('the nightly check', (makeDatabase) => {
  test('leaves whom the register bears out alone until the next night', async () => {
    await using world = await worldOn(await makeDatabase())
    const provider = await verified(world, { number: '7000001' })
    await setRegister(world, 'GMC', [{ number: '7000001', name: 'AMARA OKAFOR' }])
    await recheck(world)
    expect(await statusOf(world, provider.no)).toMatchObject({
      status: 'Verified',
      state: 'verified',
      due_at: Date.parse('2026-03-03T02:00:00Z'),
    })
    expect(await world.database.db.selectFrom('verification_checks').selectAll().execute()).toEqual(
      [],
    )
  })

  test('hides whoever lost their standing at once, tells them and staff, and leaves visits be', async () => {
    await using world = await worldOn(await makeDatabase())
    const provider = await lose(world)
    const { ctx } = await makePatient(world)
    const visit = await bookVisit(ctx, { providerId: provider.id, startsAt: firstFree })
    await recheck(world)
    await recheck(world)
    await world.drainOutbox()
    expect(await statusOf(world, provider.no)).toEqual({
      status: 'Unverified',
      verified_at: null,
      state: 'lost',
      reason: 'standing',
      due_at: null,
    })
    const { db } = world.database
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
    const [told] = world.mails.filter(({ to }) => to === provider.email).slice(-1)
    expect(told?.subject).toBe('Your profile is hidden for now')
    expect(told?.text).toContain('The GMC register now says about 7000001: Suspended.')
    expect(told?.text).toContain('/provider-verify')
    const staff = world.mails.filter(({ to }) => to === world.services.config.supportEmail)
    expect(staff.map(({ subject }) => subject)).toEqual([
      'A provider lost their registration status: GMC 7000001',
    ])
    expect(staff[0]?.text).toContain(`3 March 2026 at 09:00 (Europe/London): ${visit}`)
    expect(staff[0]?.text).not.toMatch(/Maya|Ellis/)
  })

  test('one it cannot deal with keeps nobody from being dealt with', async () => {
    await using world = await worldOn(await makeDatabase())
    const numbers = ['7000001', '7000002']
    const people = await Promise.all(numbers.map((number) => verified(world, { number })))
    const gone = { name: 'Amara Okafor', status: 'Suspended' }
    await setRegister(
      world,
      'GMC',
      numbers.map((number) => ({ number, ...gone })),
    )
    let made = 0
    const newId = (prefix: string) => {
      made += 1
      // The first letter of the first of them.
      if (made === 2) throw new TypeError('null has no such property')
      return world.services.newId(prefix)
    }
    await recheckStandings({ ...world.services, newId }, () => Promise.resolve(true))
    const states = await Promise.all(people.map(({ no }) => statusOf(world, no)))
    expect(states.map(({ status }) => status).toSorted()).toEqual(['Unverified', 'Verified'])
    expect(world.logged.filter(({ level }) => level === 50)).toHaveLength(1)
    await recheck(world)
    const later = await Promise.all(people.map(({ no }) => statusOf(world, no)))
    expect(later.map(({ state }) => state)).toEqual(['lost', 'lost'])
  })

  test('a number that has vanished, or another name, counts on the second night only', async () => {
    await using world = await worldOn(await makeDatabase())
    const vanished = await verified(world, { number: '7000001' })
    const renamed = await verified(world, { number: '7000002' })
    const back = await verified(world, { number: '7000003' })
    const grant = { number: '7000002', name: 'Amara Grant' }
    const okafor = { number: '7000003', name: 'Amara Okafor' }
    await setRegister(world, 'GMC', [grant])
    await recheck(world)
    for (const { no } of [vanished, renamed, back]) {
      expect(await statusOf(world, no)).toMatchObject({ status: 'Verified', state: 'verified' })
    }
    world.advance(3_600_000)
    await recheck(world)
    expect(await statusOf(world, vanished.no)).toMatchObject({ status: 'Verified' })
    await setRegister(world, 'GMC', [grant, okafor])
    world.advance(DAY)
    await recheck(world)
    await world.drainOutbox()
    expect(await statusOf(world, vanished.no)).toMatchObject({ state: 'lost', reason: 'vanished' })
    expect(await statusOf(world, renamed.no)).toMatchObject({ state: 'lost', reason: 'renamed' })
    expect(await statusOf(world, back.no)).toMatchObject({ status: 'Verified', state: 'verified' })
    const words = world.mails.map(({ text }) => text).join('\n')
    expect(words).toContain('On two nights in a row the GMC register had no entry under 7000001.')
    expect(words).toContain('had another name under 7000002: Amara Grant.')
  })

  test('a register that is down un-verifies nobody, and is asked again in an hour', async () => {
    await using world = await worldOn(await makeDatabase())
    const provider = await lose(world)
    let asked = 0
    world.services.registers = makeRegisters({
      urls: world.services.config.registers,
      table: () => {
        asked += 1
        return Promise.reject(new UpstreamError('The GMC register', null))
      },
      now: world.services.now,
    })
    for (let night = 0; night < 5; night += 1) {
      await recheck(world)
      await recheck(world)
      world.advance(DAY)
    }
    expect(asked).toBe(5)
    expect(await statusOf(world, provider.no)).toMatchObject({ status: 'Verified' })
    expect(await world.database.db.selectFrom('verification_checks').selectAll().execute()).toEqual(
      [],
    )
    world.services.registers = makeRegisters({
      urls: world.services.config.registers,
      table: () =>
        Promise.resolve({
          registration_number: '7000001',
          name: 'Amara Okafor',
          status_text: 'Suspended',
          source: 'test',
        }),
      now: world.services.now,
    })
    await recheck(world)
    expect(await statusOf(world, provider.no)).toMatchObject({ status: 'Unverified' })
  })

  test('a register that has lost most of its entries un-verifies nobody', async () => {
    await using world = await worldOn(await makeDatabase())
    const people = []
    for (let at = 0; at < 12; at += 1) {
      people.push(await verified(world, { number: String(7_000_001 + at) }))
    }
    await setRegister(world, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
    for (let night = 0; night < 3; night += 1) {
      await recheck(world)
      world.advance(DAY)
    }
    for (const { no } of people) {
      expect(await statusOf(world, no)).toMatchObject({ status: 'Verified' })
    }
    expect(world.logged.map(({ msg }) => msg)).toContain('a register answers as none does')
  })

  test('goes through everybody in batches, and two processes at once tell nobody twice', async () => {
    await using world = await worldOn(await makeDatabase())
    const entries = []
    const people = []
    for (let at = 0; at < 95; at += 1) {
      const number = String(7_000_001 + at)
      people.push(await verified(world, { number }))
      const status = at % 10 === 0 ? 'Suspended' : 'Registered with licence to practise'
      entries.push({ number, name: 'Amara Okafor', status })
    }
    await setRegister(world, 'GMC', entries)
    await Promise.all([recheck(world), recheck(world)])
    await world.drainOutbox()
    const { db } = world.database
    const lost = await db.selectFrom('provider_standings').select('state').execute()
    expect(lost.filter(({ state }) => state === 'lost')).toHaveLength(10)
    expect(await db.selectFrom('verification_checks').select('no').execute()).toHaveLength(10)
    expect(world.mails).toHaveLength(20)
    const due = await db
      .selectFrom('provider_standings')
      .select('due_at')
      .where('due_at', '<=', world.services.now())
      .execute()
    expect(due).toEqual([])
  })

  test('whoever is Unverified for another reason needs no nightly check', async () => {
    await using world = await worldOn(await makeDatabase())
    const provider = await lose(world)
    await world.database.db
      .updateTable('providers')
      .set({ verification_status: 'Unverified' })
      .execute()
    await recheck(world)
    expect(await statusOf(world, provider.no)).toMatchObject({ state: 'verified', due_at: null })
    expect(await world.database.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })
})

test('a register of somebody else’s is asked twenty times a run', async () => {
  await using world = await makeWorld()
  for (let at = 0; at < 25; at += 1) await verified(world, { number: String(7_000_001 + at) })
  let asked = 0
  world.services.registers = {
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
  await recheck(world)
  expect(asked).toBe(20)
  await recheck(world)
  expect(asked).toBe(25)
})

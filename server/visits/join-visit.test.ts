import { expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestAppOptions } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const MINUTE = 60_000
/** An hour after the test clock's start; thirty minutes long. */
const STARTS = '2026-03-02T10:00:00.000Z'
const OWN = 'https://meet.practice.example/okafor?pwd=x'
const server: Partial<Config> = { videoBaseUrl: 'https://video.care.example/rooms' }
const real: Partial<Config> = { demo: false, publicUrl: 'https://care.example' }

type Made = TestAppOptions & { mode?: 'in_person' | 'video'; link?: string | null }

async function booked({ mode = 'video', link = null, ...options }: Made = {}) {
  const testApp = await makeTestApp(options)
  const { db } = testApp.database
  const { provider, account } = await makeProviderAccount(testApp)
  const columns = { offers_video: 1, video_link: link } as const
  await db.updateTable('providers').set(columns).where('no', '=', provider.no).execute()
  const patient = await makePatient(testApp)
  const visit = { patientNo: patient.account.no, startsAt: STARTS, mode }
  const { id, no } = await insertVisit(testApp, provider, visit)
  const asProvider = createCaller({
    ...testApp.context({ kind: 'provider', id: provider.id }),
    session: {
      ...patient.ctx.session,
      accountNo: account.no,
      userId: account.id,
      kind: 'provider',
    },
  })
  return {
    testApp,
    patient,
    provider,
    asProvider,
    id,
    no,
    join: () => patient.caller.visits.join({ id }),
    joins: () => db.selectFrom('visit_joins').selectAll().orderBy('no').execute(),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

describeEngines('joining a video visit', (makeDatabase) => {
  test('both get the same unguessable room, and each join is recorded', async () => {
    await using at = await booked({ database: await makeDatabase(), config: server })
    at.testApp.advance(50 * MINUTE)
    const all = await Promise.all([at.join(), at.asProvider.visits.join({ id: at.id }), at.join()])
    const urls = new Set(all.map(({ url }) => url))
    expect(urls.size).toBe(1)
    expect([...urls][0]).toMatch(/^https:\/\/video\.care\.example\/rooms\/room_[a-z0-9]{26}$/)
    expect(all[0]?.host).toBe('video.care.example')
    const noted = await at.joins()
    expect(noted.map((row) => row.by_kind).toSorted()).toEqual(['patient', 'patient', 'provider'])
    for (const row of noted) {
      expect(row).toMatchObject({ booking_no: at.no, host: 'video.care.example' })
    }
    // It is still the same room later.
    expect((await at.join()).url).toBe([...urls][0])
  })

  test('a recorded join can be neither altered nor deleted', async () => {
    await using at = await booked({ database: await makeDatabase() })
    at.testApp.advance(50 * MINUTE)
    await at.join()
    const { db } = at.testApp.database
    await expect(db.updateTable('visit_joins').set({ at: 0 }).execute()).rejects.toThrow('are kept')
    await expect(db.deleteFrom('visit_joins').execute()).rejects.toThrow('are kept')
    expect(await at.joins()).toHaveLength(1)
  })
})

test.each([
  [44, 'video_too_early'],
  [45, null],
  [60, null],
  [119, null],
  [120, 'video_over'],
])('%d minutes after nine it is: %s', async (minutes, expected) => {
  await using at = await booked()
  at.testApp.advance(minutes * MINUTE)
  expect(await errorCodeOf(at.join())).toBe(expected)
  expect(await at.joins()).toHaveLength(expected === null ? 1 : 0)
})

test('too early, the message gives the opening time, local to the clinic', async () => {
  await using at = await booked()
  await expect(at.join()).rejects.toMatchObject({
    message:
      'It’s too early to join. You can join from Monday 2 March 2026, 09:45 (London time, GMT).',
  })
  expect(await at.patient.caller.visits.video({ id: at.id })).toEqual({
    id: at.id,
    opensAt: '2026-03-02T09:45:00.000Z',
    closesAt: '2026-03-02T11:00:00.000Z',
    host: 'localhost:3000',
  })
})

test('the provider’s own link takes precedence over our server, and a new one over the old', async () => {
  await using at = await booked({ link: OWN, config: server })
  at.testApp.advance(50 * MINUTE)
  expect(await at.join()).toEqual({ url: OWN, host: 'meet.practice.example' })
  const { db } = at.testApp.database
  await db.updateTable('providers').set({ video_link: 'https://other.example/room' }).execute()
  expect(await at.join()).toEqual({ url: 'https://other.example/room', host: 'other.example' })
})

test('others do not find the visit', async () => {
  await using at = await booked()
  at.testApp.advance(50 * MINUTE)
  const stranger = await makePatient(at.testApp)
  expect(await errorCodeOf(stranger.caller.visits.join({ id: at.id }))).toBe('not_found')
  expect(await errorCodeOf(stranger.caller.visits.video({ id: at.id }))).toBe('not_found')
  const { provider } = await makeProviderAccount(at.testApp)
  const other = createCaller({
    ...at.testApp.context({ kind: 'provider', id: provider.id }),
    session: { ...at.patient.ctx.session, kind: 'provider' },
  })
  expect(await errorCodeOf(other.visits.join({ id: at.id }))).toBe('not_found')
  expect(await at.joins()).toEqual([])
})

test('a visit in person, a cancelled one, and one without a room are refused', async () => {
  await using inPerson = await booked({ mode: 'in_person' })
  expect(await errorCodeOf(inPerson.join())).toBe('not_by_video')
  await using at = await booked({ config: real })
  at.testApp.advance(50 * MINUTE)
  expect(await errorCodeOf(at.join())).toBe('video_way_missing')
  expect((await at.patient.caller.visits.video({ id: at.id })).host).toBeNull()
  const { db } = at.testApp.database
  await db.updateTable('bookings').set({ state: 'cancelled' }).execute()
  expect(await errorCodeOf(at.join())).toBe('visit_cancelled')
})

test('the room’s URL is in no email, calendar, log or audit entry', async () => {
  await using at = await booked({ link: OWN })
  const { testApp, patient, id, provider } = at
  await patient.ctx.transaction((tx) => tx.outbox.add('booking.confirmed', { bookingId: id }))
  await testApp.drainOutbox()
  testApp.advance(50 * MINUTE)
  await at.join()
  const { text } = await patient.caller.booking.calendar({ id })
  expect(text).toContain('LOCATION:http://localhost:3000/userProfile')
  expect(text).toContain('URL:http://localhost:3000/userProfile')
  expect(text).not.toContain('GEO:')
  const mails = testApp.mails.filter(({ to }) =>
    [provider.email, patient.account.email].includes(to),
  )
  expect(mails.map(({ text: said }) => said).join('\n')).toContain('Where: Video visit')
  const audit = await testApp.database.db.selectFrom('audit').selectAll().execute()
  expect(audit.map(({ action }) => action)).toContain('visit.joined')
  const visit = await patient.caller.booking.visit({ id })
  const profile = await testApp.caller().search.provider({ id: provider.id })
  const all = JSON.stringify([testApp.mails, testApp.logged, audit, text, visit, profile])
  expect(all).not.toContain('meet.practice.example')
})

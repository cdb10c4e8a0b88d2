import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { createCaller } from '#server/app-router.ts'
import {
  makeAccount,
  makeProviderAccount,
  type Overrides,
  signedInAs,
} from '#tests/harness/accounts.ts'
import {
  type ParsedEvent,
  parseCalendar,
  parseStrictCalendar,
} from '#tests/harness/calendar-parsers.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const DAY = 24 * 3_600_000

function get(
  testApp: TestApp,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return testApp.app.fetch(new Request(url, { headers }))
}

/** A third-party parser's result in the strict reader's format: both must agree. */
function toStrictFormat(events: readonly ParsedEvent[]) {
  return events.map(({ uid, summary, location, description, status, sequence, start, end }) => {
    return { uid, summary, location, description, status, sequence, start, end }
  })
}

/** A patient who has just proved who they are, as creating a link requires. */
async function makePatient(testApp: TestApp, overrides: Overrides = {}) {
  const account = await makeAccount(testApp, overrides)
  const ctx = signedInAs(testApp.services, account)
  const session = { ...ctx.session, steppedUpUntil: testApp.services.now() + 60_000 }
  return { account, caller: createCaller({ ...ctx, session }) }
}

async function patientWithFeed(testApp: TestApp) {
  const provider = await makeProvider(testApp)
  const { account, caller } = await makePatient(testApp)
  const { url, feed } = await caller.calendars.create({ name: 'Phone' })
  const book = (startsAt: string, state: 'confirmed' | 'cancelled' = 'confirmed') =>
    insertVisit(testApp, provider, { patientNo: account.no, startsAt, state })
  const events = async () => {
    const text = await (await get(testApp, url)).text()
    const strict = parseStrictCalendar(text).events
    expect(strict).toMatchObject(toStrictFormat(parseCalendar(text)))
    return strict
  }
  return { provider, account, caller, url, feed, book, events }
}

async function providerWithFeed(testApp: TestApp, showsNames: boolean) {
  const { account, provider } = await makeProviderAccount(testApp)
  const ctx = signedInAs(testApp.services, account)
  const steppedUpUntil = testApp.services.now() + 60_000
  const session = { ...ctx.session, kind: 'provider' as const, steppedUpUntil }
  const caller = createCaller({ ...ctx, viewer: { kind: 'provider', id: provider.id }, session })
  const { url } = await caller.calendars.create({ name: 'Practice', showsNames })
  const patient = await makePatient(testApp, { first_name: 'Maya', last_name: 'Ellis' })
  const { id } = await insertVisit(testApp, provider, {
    patientNo: patient.account.no,
    startsAt: '2026-03-10T10:00:00Z',
  })
  return { url, id, text: async () => (await get(testApp, url)).text() }
}

test('calendars show visits in local time, across clock changes', async () => {
  await using testApp = await makeTestApp()
  const { url, book, events } = await patientWithFeed(testApp)
  const { id } = await book('2026-03-10T10:00:00Z')
  await book('2026-07-14T13:30:00Z')
  await book('2027-01-12T09:00:00Z')
  const response = await get(testApp, url)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const found = await events()
  expect(found.map(({ start }) => start)).toEqual([
    '2027-01-12T09:00:00Z',
    '2026-07-14T13:30:00Z',
    '2026-03-10T10:00:00Z',
  ])
  expect(found[2]).toMatchObject({
    uid: `${id}@apposite`,
    summary: 'Visit to Dr Amara Okafor',
    location: 'Borough Practice, 12 Harper Road, London, SE1 6ET',
    status: 'CONFIRMED',
    description: `Reference: ${referenceOf(id)}\nhttp://localhost:3000/userProfile`,
  })
  expect(await response.text()).not.toMatch(/cough/)
})

test('visits stay 90 days after they end, cancelled ones 30 days as cancelled', async () => {
  await using testApp = await makeTestApp()
  const { book, events } = await patientWithFeed(testApp)
  await book('2026-03-03T10:00:00Z')
  const { no } = await book('2026-03-10T10:00:00Z', 'cancelled')
  const closed = testApp.services.now()
  const bookings = () => testApp.database.db.updateTable('bookings')
  await bookings().set({ closed_at: closed }).where('no', '=', no).execute()
  await book('2026-09-01T10:00:00Z', 'cancelled')
  const statuses = async () => (await events()).map(({ status }) => status)
  expect(await statuses()).toEqual(['CANCELLED', 'CONFIRMED'])
  testApp.advance(30 * DAY)
  expect(await statuses()).toEqual(['CONFIRMED'])
  testApp.advance(61 * DAY)
  expect(await statuses()).toEqual(['CONFIRMED'])
  testApp.advance(1 * DAY)
  expect(await statuses()).toEqual([])
})

test('a feed only changes with its content, and otherwise responds not modified', async () => {
  await using testApp = await makeTestApp()
  const { url, book } = await patientWithFeed(testApp)
  await book('2026-03-10T10:00:00Z')
  const first = await get(testApp, url)
  const etag = first.headers.get('etag') ?? ''
  testApp.advance(3 * DAY)
  const again = await get(testApp, url, { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect(await (await get(testApp, url)).text()).toBe(await first.text())
  await book('2026-03-11T10:00:00Z')
  const changed = await get(testApp, url, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('a revoked or invented link, or one of an erased or suspended account, is unknown', async () => {
  await using testApp = await makeTestApp()
  const { url, caller, feed, account } = await patientWithFeed(testApp)
  expect((await get(testApp, url)).status).toBe(200)
  const made = `http://localhost:3000/calendar/${'A'.repeat(43)}.ics`
  expect((await get(testApp, made)).status).toBe(404)
  expect((await get(testApp, url.replace('.ics', ''))).status).toBe(404)
  const accounts = () => testApp.database.db.updateTable('accounts').where('no', '=', account.no)
  await accounts().set({ suspended_at: 1 }).execute()
  expect((await get(testApp, url)).status).toBe(404)
  await accounts().set({ suspended_at: null, erased_at: 1 }).execute()
  expect((await get(testApp, url)).status).toBe(404)
  await accounts().set({ erased_at: null }).execute()
  await caller.calendars.revoke({ id: feed.id })
  expect((await get(testApp, url)).status).toBe(404)
  await expect(caller.calendars.revoke({ id: feed.id })).rejects.toThrow('We couldn’t find that.')
})

test('an account that was erased or suspended meanwhile gets no link', async () => {
  await using testApp = await makeTestApp()
  const { account, caller } = await makePatient(testApp)
  const { db } = testApp.database
  const accounts = () => db.updateTable('accounts').where('no', '=', account.no)
  for (const change of [{ suspended_at: 1 }, { suspended_at: null, erased_at: 1 }]) {
    await accounts().set(change).execute()
    await expect(caller.calendars.create({ name: 'Phone' })).rejects.toMatchObject({
      cause: { code: 'session_ended' },
    })
  }
  expect(await db.selectFrom('calendar_feeds').select('id').execute()).toEqual([])
})

test('another account’s link can be neither seen nor revoked', async () => {
  await using testApp = await makeTestApp()
  const { feed } = await patientWithFeed(testApp)
  const other = await makePatient(testApp)
  expect(await other.caller.calendars.list({})).toEqual([])
  await expect(other.caller.calendars.revoke({ id: feed.id })).rejects.toThrow(
    'We couldn’t find that.',
  )
})

test('only a hash is stored, reads are recorded, and the owner is emailed', async () => {
  await using testApp = await makeTestApp()
  const { url, caller, account } = await patientWithFeed(testApp)
  const token = url.slice(-47, -4)
  expect(token).toMatch(/^[\w-]{43}$/)
  const rows = await testApp.database.db.selectFrom('calendar_feeds').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await caller.calendars.list({}))[0]?.lastReadAt).toBeNull()
  await get(testApp, url)
  expect((await caller.calendars.list({}))[0]?.lastReadAt).toBe('2026-03-02T09:00:00.000Z')
  await testApp.drainOutbox()
  const [mail] = testApp.mails
  expect([mail?.to, mail?.subject]).toEqual([account.email, 'A calendar link was created'])
  expect(JSON.stringify(testApp.mails) + JSON.stringify(testApp.logged)).not.toContain(token)
})

test('a feed can be read sixty times an hour', async () => {
  await using testApp = await makeTestApp()
  const { url } = await patientWithFeed(testApp)
  for (let count = 0; count < 60; count += 1) expect((await get(testApp, url)).status).toBe(200)
  const refused = await get(testApp, url)
  expect(refused.status).toBe(429)
  expect(refused.headers.has('retry-after')).toBe(true)
})

test('a provider’s feed names no patients, or first names where enabled', async () => {
  await using testApp = await makeTestApp()
  const plain = await providerWithFeed(testApp, false)
  const [event] = parseStrictCalendar(await plain.text()).events
  expect(event).toMatchObject({
    summary: `Visit ${referenceOf(plain.id)}`,
    description: `http://localhost:3000/doctor/visits/${plain.id}`,
  })
  expect(await plain.text()).not.toMatch(/Maya|Ellis|cough/)
})

test('first names are shown only where enabled, and never of erased accounts', async () => {
  await using testApp = await makeTestApp()
  const named = await providerWithFeed(testApp, true)
  expect(await named.text()).toMatch(/SUMMARY:Visit AP-\S+: Maya\r\n/)
  expect(await named.text()).not.toMatch(/Ellis|cough/)
  await testApp.database.db
    .updateTable('accounts')
    .set({ erased_at: 1, first_name: 'Former' })
    .where('kind', '=', 'patient')
    .execute()
  expect(await named.text()).toMatch(/SUMMARY:Visit AP-\S+\r\n/)
})

test('in discreet mode the feed names neither provider nor practice', async () => {
  await using testApp = await makeTestApp()
  const { url, book, caller } = await patientWithFeed(testApp)
  await book('2026-03-10T10:00:00Z')
  await caller.reminders.save({ ...DEFAULT_REMINDERS, discreet: true })
  const text = await (await get(testApp, url)).text()
  expect(text).toContain('SUMMARY:Appointment')
  expect(text).not.toMatch(/Okafor|Borough Practice/)
})

describeEngines('calendar links', (makeDatabase) => {
  test('are at most three per account, also for concurrent requests', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { caller } = await makePatient(testApp)
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => caller.calendars.create({ name: `Link ${at}` })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await caller.calendars.list({})).toHaveLength(3)
  })
})

import { expect, test } from 'vitest'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { SignedIn } from '#server/context.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { type MadeProvider, makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, insertVisit } from '#tests/harness/visits.ts'
import { remind, unsubscribeUrl } from './reminders.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The patient books at 09:00 on Monday 2 March 2026, by the test clock. */
async function setUp(testApp: TestApp) {
  const provider = await makeProvider(testApp)
  const { ctx, account, caller } = await makePatient(testApp)
  const book = (startsAt: string) =>
    insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  const mails = () => testApp.mails.filter(({ to }) => to === account.email)
  return { provider, ctx, account, caller, book, mails }
}

/** Runs the job every two hours until an instant; in production it runs every minute. */
async function runUntil(testApp: TestApp, until: string, send = true): Promise<void> {
  while (testApp.services.now() < Date.parse(until)) {
    testApp.advance(2 * HOUR)
    await remind(testApp.services)
    if (send) await testApp.drainOutbox()
  }
}

function cancel(ctx: SignedIn, bookingNo: number): Promise<void> {
  const money = { refundMinor: 6_000, keptMinor: 0 }
  return ctx.transaction((tx) => cancelBooking(ctx, tx, { bookingNo, money }))
}

async function move(testApp: TestApp, provider: MadeProvider, to: string): Promise<void> {
  const startAt = Date.parse(to)
  await testApp.database.db
    .updateTable('bookings')
    .set({ start_at: startAt, end_at: startAt + 30 * 60_000, wall_at: startAt })
    .where('provider_no', '=', provider.no)
    .execute()
}

describeEngines('reminders', (makeDatabase) => {
  test('are sent a week and a day before, once each, without the purpose', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails } = await setUp(testApp)
    await book('2026-03-12T14:30:00Z')
    await runUntil(testApp, '2026-03-05T13:00:00Z')
    expect(mails()).toEqual([])
    await runUntil(testApp, '2026-03-05T15:00:00Z')
    expect(mails()).toHaveLength(1)
    await runUntil(testApp, '2026-03-13T15:00:00Z')
    expect(mails().map(({ subject }) => subject)).toEqual([
      'Reminder: your visit to Dr Amara Okafor on Thursday 12 March',
      'Reminder: your visit to Dr Amara Okafor on Thursday 12 March',
    ])
    const [mail] = mails()
    expect(mail?.text).toContain('When: Thursday 12 March 2026, 14:30 (London time, GMT)')
    expect(mail?.text).toContain('Where: Borough Practice, 12 Harper Road, London, SE1 6ET')
    expect(JSON.stringify(mail)).not.toMatch(/cough/)
    expect(mail?.unsubscribe).toMatch(/^http:\/\/localhost:3000\/unsubscribe\/usr_/)
  })

  test('all visits of one day are in one email', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails } = await setUp(testApp)
    await book('2026-03-12T09:00:00Z')
    await book('2026-03-12T18:00:00Z')
    await book('2026-03-13T09:00:00Z')
    await runUntil(testApp, '2026-03-11T20:00:00Z')
    const ofTheDay = mails().filter(({ subject }) => subject.includes('12 March'))
    expect(ofTheDay.map(({ subject }) => subject)).toEqual([
      'Reminder: your 2 visits on Thursday 12 March',
      'Reminder: your 2 visits on Thursday 12 March',
    ])
    expect(ofTheDay[0]?.text).toMatch(/09:00 [^]*18:00 /)
  })

  test('are not sent when switched off, after a cancellation, or for old starts', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails, caller, ctx, provider } = await setUp(testApp)
    const { no } = await book('2026-03-12T14:30:00Z')
    await caller.reminders.save({ ...DEFAULT_REMINDERS, week: false })
    await runUntil(testApp, '2026-03-06T15:00:00Z')
    expect(mails()).toEqual([])
    // Enqueued, and then switched off before it is sent.
    await runUntil(testApp, '2026-03-11T15:00:00Z', false)
    await caller.reminders.save({ ...DEFAULT_REMINDERS, day: false })
    await testApp.drainOutbox()
    expect(mails()).toEqual([])
    await caller.reminders.save(DEFAULT_REMINDERS)
    await move(testApp, provider, '2026-03-20T10:00:00Z')
    await runUntil(testApp, '2026-03-19T09:00:00Z', false)
    await runUntil(testApp, '2026-03-19T11:00:00Z', false)
    await cancel(ctx, no)
    await testApp.drainOutbox()
    expect(mails().filter(({ subject }) => subject.startsWith('Reminder'))).toEqual([])
  })

  test('a moved visit has a reminder for its new start only', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails, provider } = await setUp(testApp)
    await book('2026-03-12T14:30:00Z')
    await runUntil(testApp, '2026-03-11T15:00:00Z', false)
    await move(testApp, provider, '2026-03-16T10:00:00Z')
    await testApp.drainOutbox()
    expect(mails()).toEqual([])
    await runUntil(testApp, '2026-03-16T12:00:00Z')
    expect(mails().map(({ subject }) => subject)).toEqual([
      'Reminder: your visit to Dr Amara Okafor on Monday 16 March',
    ])
  })

  test('after an outage outdated ones are not sent', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails } = await setUp(testApp)
    await book('2026-03-12T14:30:00Z')
    // The week's reminder was due on the 5th, the day's on the 11th.
    testApp.advance(Date.parse('2026-03-06T14:31:00Z') - testApp.services.now())
    await remind(testApp.services)
    testApp.advance(Date.parse('2026-03-12T12:31:00Z') - testApp.services.now())
    await remind(testApp.services)
    await testApp.drainOutbox()
    expect(mails()).toEqual([])
  })

  test('eight concurrent processes write each once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails } = await setUp(testApp)
    for (const hour of ['09', '11', '15']) await book(`2026-03-12T${hour}:00:00Z`)
    testApp.advance(Date.parse('2026-03-11T16:00:00Z') - testApp.services.now())
    await Promise.all(Array.from({ length: 8 }, () => remind(testApp.services)))
    await testApp.drainOutbox()
    expect(mails()).toHaveLength(1)
    const rows = await testApp.database.db.selectFrom('reminders').select('batch').execute()
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ batch }) => batch)).size).toBe(1)
  })

  test('an erased account gets no reminders, and its settings are deleted', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { book, mails, account, caller } = await setUp(testApp)
    await book('2026-03-12T14:30:00Z')
    await caller.reminders.save(DEFAULT_REMINDERS)
    await runUntil(testApp, '2026-03-11T15:00:00Z', false)
    const { db } = testApp.database
    await db.updateTable('accounts').set({ erased_at: 1 }).where('no', '=', account.no).execute()
    await caller.auth.me({})
    const ctx = testApp.context()
    await ctx.transaction((tx) => tx.outbox.add('account.erased', { userId: account.id }))
    await testApp.drainOutbox()
    expect(mails()).toEqual([])
    expect(await db.selectFrom('reminder_settings').selectAll().execute()).toEqual([])
  })
})

test('nobody is reminded twice of one start, whatever is moved, cancelled, switched or lost', async () => {
  await using testApp = await makeTestApp()
  const { book, account, caller, provider, mails } = await setUp(testApp)
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  await book('2026-03-20T10:00:00Z')
  for (let step = 0; step < 800; step += 1) {
    testApp.advance(random(9) * HOUR)
    const now = testApp.services.now()
    const what = random(24)
    if (what === 0) {
      const to = Math.floor(now / DAY) * DAY + (2 + random(9)) * DAY + (7 + random(12)) * HOUR
      await move(testApp, provider, new Date(to).toISOString())
    }
    if (what === 1) {
      await caller.reminders.save({
        ...DEFAULT_REMINDERS,
        week: random(3) > 0,
        day: random(3) > 0,
      })
    }
    if (what > 1) await remind(testApp.services)
    if (random(2) === 0) await testApp.drainOutbox()
  }
  await testApp.drainOutbox()
  const rows = await testApp.database.db
    .selectFrom('reminders')
    .select(['kind', 'start_at'])
    .execute()
  expect(rows.length).toBeGreaterThan(10)
  expect(new Set(rows.map(({ kind, start_at: start }) => `${kind} ${start}`)).size).toBe(
    rows.length,
  )
  expect(mails().length).toBeLessThanOrEqual(rows.length)
  expect(mails().length).toBeGreaterThan(3)
  expect(mails().every(({ to }) => to === account.email)).toBe(true)
})

async function patientWithLink(testApp: TestApp) {
  const made = await makePatient(testApp)
  const { pathname } = new URL(unsubscribeUrl(testApp.services, made.account))
  const send = (method: string, path = pathname, headers: Record<string, string> = {}) =>
    testApp.app.fetch(
      new Request(`http://localhost:3000${path}`, {
        method,
        headers,
        ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
      }),
    )
  return { ...made, path: pathname, send }
}

test('a POST from anywhere turns reminders off; a GET changes nothing', async () => {
  await using testApp = await makeTestApp()
  const { caller, send } = await patientWithLink(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, fromHour: 10, discreet: true })
  const page = await send('GET')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toContain('no-store')
  expect((await caller.reminders.settings({})).day).toBe(true)
  const answer = await send('POST', undefined, {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://mail.example',
    'sec-fetch-site': 'cross-site',
  })
  expect(answer.status).toBe(200)
  const chosen = { ...DEFAULT_REMINDERS, fromHour: 10, discreet: true, week: false, day: false }
  expect(await caller.reminders.settings({})).toEqual(chosen)
  const entry = await testApp.database.db
    .selectFrom('audit')
    .select(['actor_kind', 'actor_id', 'entity'])
    .where('action', '=', 'reminders.unsubscribed')
    .executeTakeFirst()
  expect(entry).toMatchObject({ actor_kind: 'patient' })
})

test('an invented token, another account’s, or one for a former address is refused', async () => {
  await using testApp = await makeTestApp()
  const { path, send, account, caller } = await patientWithLink(testApp)
  const other = await makePatient(testApp)
  const [, mac = ''] = path.split('.')
  const forged = [
    `/unsubscribe/${other.account.id}.${mac}`,
    `${path}x`,
    '/unsubscribe/nonsense',
    `/unsubscribe/${'a'.repeat(300)}`,
  ]
  for (const one of forged) expect((await send('POST', one)).status).toBe(400)
  await testApp.database.db
    .updateTable('accounts')
    .set({ email: 'new@mail.example' })
    .where('no', '=', account.no)
    .execute()
  expect((await send('POST')).status).toBe(400)
  expect(await caller.reminders.settings({})).toEqual(DEFAULT_REMINDERS)
})

test('settings are stored, and refused with hours that are not offered', async () => {
  await using testApp = await makeTestApp()
  const { caller } = await makePatient(testApp)
  const chosen = { week: false, day: true, fromHour: 9, toHour: 18, discreet: true } as const
  expect(await caller.reminders.save(chosen)).toEqual(chosen)
  expect(await caller.reminders.settings({})).toEqual(chosen)
  // @ts-expect-error -- three in the morning
  await expect(caller.reminders.save({ ...chosen, fromHour: 3 })).rejects.toThrow(
    'Check the highlighted fields',
  )
})

test('in discreet mode neither subjects nor calendars name the provider', async () => {
  await using testApp = await makeTestApp()
  const startsAt = '2026-03-03T14:30:00Z'
  const provider = await makeProvider(testApp, { slots: [Date.parse(startsAt)] })
  const { caller, ctx, account } = await makePatient(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, discreet: true })
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt })
  await testApp.drainOutbox()
  const mail = testApp.mails.find(({ to }) => to === account.email)
  expect(mail?.subject).toBe('Your visit is booked')
  const { text } = await caller.booking.calendar({ id })
  expect(text).toContain('SUMMARY:Appointment')
  for (const one of [text, mail?.files?.[0]?.text]) {
    expect(one).not.toMatch(/Okafor|Borough Practice/)
  }
})

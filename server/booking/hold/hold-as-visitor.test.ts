import { expect, test } from 'vitest'
import { Hold, VisitorHold } from '#contract/booking.ts'
import { makeAccount, makePatient } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const MINUTE = 60_000
const aHash: unknown = expect.stringMatching(/^[\w-]{43}$/)
const NINE = '2026-03-03T09:00:00.000Z'
const HALF_PAST = '2026-03-03T09:30:00.000Z'

async function bookings({ database }: TestApp) {
  return database.db
    .selectFrom('bookings')
    .select(['id', 'patient_no', 'visitor', 'state', 'start_at', 'held_from'])
    .orderBy('no')
    .execute()
}

async function claimed({ database }: TestApp): Promise<string[]> {
  const rows = await database.db.selectFrom('slot_claims').select('start_at').execute()
  return rows.map(({ start_at: at }) => new Date(at).toISOString())
}

test('a visitor holds a time for fifteen minutes, and only a hash of the cookie is stored', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  expect((await browser.ask('booking.visitorHold')).data).toBeNull()
  const { status, data } = await browser.act('booking.holdAsVisitor', {
    providerId,
    date: '2026-03-03',
    time: '09:30',
    distance: '0.4',
  })
  expect(status).toBe(200)
  expect(VisitorHold.parse(data)).toEqual(data)
  expect(data).toMatchObject({
    provider: { id: providerId, name: 'Dr Amara Okafor' },
    place: { name: 'Borough Practice' },
    startsAt: HALF_PAST,
    holdUntil: '2026-03-02T09:15:00.000Z',
    distance: '0.4',
  })
  const cookie = browser.jar.get('visitor')
  expect(cookie?.value).toMatch(/^[\w-]{43}$/)
  expect(cookie?.attributes).toEqual([
    'Max-Age=3600',
    'Path=/',
    'HttpOnly',
    'Secure',
    'SameSite=Strict',
  ])
  const [row] = await bookings(testApp)
  expect(row).toMatchObject({ patient_no: null, state: 'held', visitor: aHash })
  expect(JSON.stringify(row)).not.toContain(cookie?.value ?? 'no cookie')
  expect((await browser.ask('booking.visitorHold')).data).toEqual(data)
  expect((await new Browser(testApp).ask('booking.visitorHold')).data).toBeNull()
  expect(await claimed(testApp)).toEqual([HALF_PAST])
})

test('a repeat returns the same hold without extending it', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  const wanted = { providerId, startsAt: NINE }
  const first = await browser.act('booking.holdAsVisitor', wanted)
  testApp.advance(5 * MINUTE)
  expect((await browser.act('booking.holdAsVisitor', wanted)).data).toEqual(first.data)
  testApp.advance(10 * MINUTE)
  expect((await browser.ask('booking.visitorHold')).data).toBeNull()
  const other = await new Browser(testApp).act('booking.holdAsVisitor', wanted)
  expect(other.status).toBe(200)
})

test('a visitor has one hold: a new one replaces it, unless that time is taken', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  await browser.act('booking.holdAsVisitor', { providerId, startsAt: NINE })
  const { caller } = await makePatient(testApp)
  await caller.booking.hold({ providerId, startsAt: HALF_PAST })
  const refused = await browser.act('booking.holdAsVisitor', { providerId, startsAt: HALF_PAST })
  expect(refused.message).toBe('Oops! This slot is already booked.')
  expect((await browser.ask('booking.visitorHold')).data).toMatchObject({ startsAt: NINE })
  await browser.act('booking.holdAsVisitor', { providerId, startsAt: '2026-03-03T10:00:00Z' })
  // The first time is free for everyone again.
  expect((await claimed(testApp)).toSorted()).toEqual([HALF_PAST, '2026-03-03T10:00:00.000Z'])
  expect((await bookings(testApp)).map(({ state }) => state)).toEqual(['released', 'held', 'held'])
})

test('a time released by a visitor is free, and nothing of them stays stored', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  await browser.act('booking.holdAsVisitor', { providerId, startsAt: NINE })
  expect((await browser.act('booking.leaveAsVisitor')).data).toEqual({ status: true })
  expect(await claimed(testApp)).toEqual([])
  expect(await bookings(testApp)).toMatchObject([
    { state: 'released', visitor: null, held_from: null },
  ])
  expect(browser.cookie('visitor')).toBeUndefined()
})

test('signing in transfers the visitor’s hold with its remaining minutes', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  const wanted = { providerId, startsAt: NINE }
  await browser.act('booking.holdAsVisitor', wanted)
  const [kept] = await bookings(testApp)
  testApp.advance(9 * MINUTE)
  await browser.signIn(account)
  const hold = Hold.parse((await browser.act('booking.hold', wanted)).data)
  expect(hold).toMatchObject({
    id: kept?.id,
    state: 'held',
    holdUntil: '2026-03-02T09:15:00.000Z',
    canRenew: true,
  })
  expect(await bookings(testApp)).toMatchObject([
    { patient_no: account.no, visitor: null, held_from: kept?.held_from },
  ])
  expect(browser.cookie('visitor')).toBeUndefined()
  expect((await browser.act('booking.hold', wanted)).data).toMatchObject({ id: kept?.id })
})

test('without its cookie nobody can use a visitor’s hold', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const wanted = { providerId, startsAt: NINE }
  await new Browser(testApp).act('booking.holdAsVisitor', wanted)
  const account = await makeAccount(testApp)
  const stranger = new Browser(testApp)
  stranger.jar.set('visitor', { value: 'A'.repeat(43), attributes: [] })
  await stranger.signIn(account)
  expect((await stranger.act('booking.hold', wanted)).message).toBe(
    'Oops! This slot is already booked.',
  )
  const [row] = await bookings(testApp)
  const seen = await stranger.ask('booking.current', { holdId: row?.id })
  expect([seen.status, seen.code]).toEqual([404, 'not_found'])
  const pay = {
    holdId: row?.id,
    typeOfVisit: 'first_visit',
    purposeForVisit: 'A cough that will not go away',
    shown: { minor: 6_000, currency: 'GBP' },
  }
  for (const [path, input] of Object.entries({
    'payments.startCard': pay,
    'payments.startWallet': pay,
    'payments.leave': { holdId: row?.id },
    'booking.renew': { holdId: row?.id },
  })) {
    expect([path, (await stranger.act(path, input)).code]).toEqual([path, 'not_found'])
  }
  expect(await bookings(testApp)).toMatchObject([{ patient_no: null, state: 'held' }])
})

test('a hold that expired during sign-in is made again, or is somebody else’s', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  const wanted = { providerId, startsAt: NINE }
  await browser.act('booking.holdAsVisitor', wanted)
  testApp.advance(15 * MINUTE)
  await browser.signIn(await makeAccount(testApp))
  const again = Hold.parse((await browser.act('booking.hold', wanted)).data)
  expect(again.holdUntil).toBe('2026-03-02T09:30:00.000Z')

  const late = new Browser(testApp)
  await late.act('booking.holdAsVisitor', { providerId, startsAt: HALF_PAST })
  testApp.advance(15 * MINUTE)
  const quicker = await makePatient(testApp)
  await quicker.caller.booking.hold({ providerId, startsAt: HALF_PAST })
  await late.signIn(await makeAccount(testApp))
  const lost = await late.act('booking.hold', { providerId, startsAt: HALF_PAST })
  expect(lost.message).toBe('Oops! This slot is already booked.')
})

test('an account at its cap, or with a visit then, does not get the visitor’s hold', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const other = await makeProvider(testApp)
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  for (const time of ['10:00', '10:30', '11:00']) {
    await browser.act('booking.hold', { providerId, date: '2026-03-03', time })
  }
  await browser.act('auth.signOut')
  await browser.act('booking.holdAsVisitor', { providerId, startsAt: NINE })
  await browser.signIn(account)
  const refused = await browser.act('booking.hold', { providerId, startsAt: NINE })
  expect(refused.code).toBe('too_many_holds')

  const busy = await makePatient(testApp)
  await bookVisit(busy.ctx, { providerId: other.id, startsAt: NINE })
  const second = new Browser(testApp)
  second.jar.set('visitor', { value: browser.cookie('visitor') ?? '', attributes: [] })
  await second.signIn(busy.account)
  expect((await second.act('booking.hold', { providerId, startsAt: NINE })).code).toBe(
    'visits_overlap',
  )
  const known = await second.act('booking.hold', { providerId, startsAt: NINE, overlapOk: true })
  expect(known.status).toBe(200)
  // They have paid before, so their holds are not counted by network.
  expect(
    (await bookings(testApp)).find(({ patient_no: no }) => no === busy.account.no),
  ).toBeDefined()
  const rows = await bookings(testApp)
  expect(rows.filter(({ held_from: from }) => from !== null)).toHaveLength(3)
})

test('the database refuses to confirm a hold without a patient', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  await new Browser(testApp).act('booking.holdAsVisitor', { providerId, startsAt: NINE })
  const { db } = testApp.database
  await expect(
    db.updateTable('bookings').set({ state: 'confirmed', paid_by: 1 }).execute(),
  ).rejects.toThrow('bookings_owner')
})

test('a signed-in patient’s hold belongs to the account', async () => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  const refused = await browser.act('booking.holdAsVisitor', { providerId, startsAt: NINE })
  expect([refused.status, refused.code]).toEqual([403, 'forbidden'])
})

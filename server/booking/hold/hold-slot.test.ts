import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import { purgePurposes } from '#server/booking/visits/erase-patient.ts'
import type { SignedIn } from '#server/context.ts'
import { makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { at, type Clinician, makeClinician } from '#tests/harness/clinician.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, settle, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'
import { holdSlot } from './hold-slot.ts'

const MINUTE = 60_000
const NINE = '2026-03-03T09:00:00.000Z'
const HALF_PAST = '2026-03-03T09:30:00.000Z'
const instantAt = (iso: string) => Date.parse(iso)
const TAKEN = { message: 'Oops! This slot is already booked.' }

/** A provider with free times, and two patients who may want the one at nine. */
async function makeBookers(testApp: TestApp, overrides: { slots?: number[] } = {}) {
  const { id: providerId } = await makeProvider(testApp, overrides)
  return {
    providerId,
    wanted: { providerId, startsAt: NINE },
    one: await makePatient(testApp),
    other: await makePatient(testApp),
  }
}

async function freeTimes(testApp: TestApp): Promise<string[]> {
  const rows = await testApp.database.db
    .selectFrom('slots')
    .select('start_at')
    .where('free', '=', 1)
    .orderBy('start_at')
    .execute()
  return rows.map((row) => new Date(row.start_at).toISOString().slice(5, 16))
}

function slotClaims({ database: { db } }: TestApp) {
  return db.selectFrom('slot_claims').selectAll().execute()
}

async function nextFree(testApp: TestApp): Promise<string> {
  await testApp.drainOutbox()
  const row = await testApp.database.db
    .selectFrom('search_index')
    .select('next_free')
    .executeTakeFirstOrThrow()
  return new Date(row.next_free).toISOString()
}

test('a free time is held for fifteen minutes, with its place, fees and policy', async () => {
  await using testApp = await makeTestApp()
  const { providerId, one } = await makeBookers(testApp)
  const { booking } = one.caller
  const hold = await booking.hold({ providerId, startsAt: HALF_PAST, distance: '0.4' })
  expect(hold).toMatchObject({
    state: 'held',
    provider: { id: providerId, name: 'Dr Amara Okafor', specialty: 'GP' },
    place: { name: 'Borough Practice', address: '12 Harper Road, London', postcode: 'SE1 6ET' },
    startsAt: HALF_PAST,
    endsAt: '2026-03-03T10:00:00.000Z',
    timeZone: 'Europe/London',
    holdUntil: '2026-03-02T09:15:00.000Z',
    canRenew: true,
    fees: {
      first_visit: { minor: 6_000, currency: 'GBP' },
      follow_up: { minor: 4_000, currency: 'GBP' },
    },
    typeOfVisit: 'first_visit',
    paymentMethod: 'stripe',
    distance: '0.4',
    followUpRefusal: null,
    isCodeVerified: false,
    cancellation: { freeHours: 24, latePercent: 50 },
  })
  expect(await booking.current({ holdId: hold.id })).toEqual(hold)
  expect(await booking.holds()).toEqual([hold])
})

test('a held time is not offered, and the search shows the next one', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { caller } = await makePatient(testApp)
  const { id: holdId } = await caller.booking.hold({ providerId: provider.id, startsAt: NINE })
  const { days } = await caller.availability.freeTimes({ providerId: provider.id, days: 2 })
  expect(days.flatMap(({ slots }) => slots)[0]?.startsAt).toBe(HALF_PAST)
  expect(await nextFree(testApp)).toBe(HALF_PAST)
  await caller.payments.leave({ holdId })
  expect(await nextFree(testApp)).toBe(NINE)
})

test('a patient gets the same hold again, from another device, and from two concurrent tabs', async () => {
  await using testApp = await makeTestApp()
  const { providerId, wanted, one } = await makeBookers(testApp)
  const { booking } = one.caller
  const both = await Promise.all([booking.hold(wanted), booking.hold(wanted)])
  testApp.advance(5 * MINUTE)
  const later = await booking.hold({ providerId, date: '2026-03-03', time: '09:00' })
  expect(new Set([...both, later].map(({ id }) => id)).size).toBe(1)
  // Asking again does not extend the hold.
  expect(later.holdUntil).toBe('2026-03-02T09:15:00.000Z')
})

test('a time held or booked by somebody else is taken, and three near ones are named', async () => {
  await using testApp = await makeTestApp()
  const { providerId, one: first, other: second } = await makeBookers(testApp)
  const wanted = { providerId, startsAt: HALF_PAST }
  const hold = await first.caller.booking.hold(wanted)
  const nearest = ['09:00', '10:00', '10:30'].map((time) => `2026-03-03T${time}:00.000Z`)
  const details = { nearest: nearest.join(' ') }
  const refusal = { code: 'CONFLICT', ...TAKEN, cause: { details } }
  await expect(second.caller.booking.hold(wanted)).rejects.toMatchObject(refusal)
  await verifyCode(first.ctx, hold.id)
  await settle(first.ctx, await startOpenPayment(first.ctx, hold.id))
  testApp.advance(60 * MINUTE)
  await expect(second.caller.booking.hold(wanted)).rejects.toMatchObject(refusal)
  await expect(first.caller.booking.hold(wanted)).rejects.toMatchObject({
    message: 'This visit is already paid for.',
  })
})

test('visits of different lengths never overlap, and the times they cover are not offered', async () => {
  await using testApp = await makeTestApp()
  // Slots made for another length: a shorter visit takes a whole one.
  const provider = await makeProvider(testApp, { slots: [], consultation_minutes: 15 })
  const lengths = { '09:00': 30, '09:15': 30, '09:30': 15, '09:45': 60 }
  await testApp.database.db
    .insertInto('slots')
    .values(
      Object.entries(lengths).map(([time, minutes]) => ({
        provider_no: provider.no,
        start_at: instantAt(`2026-03-03T${time}:00Z`),
        place_no: provider.placeNos[0] ?? 0,
        minutes,
        free: 1 as const,
      })),
    )
    .execute()
  const one = await makePatient(testApp)
  const other = await makePatient(testApp)
  const wanted = (time: string) => ({ providerId: provider.id, date: '2026-03-03', time })
  const early = await one.caller.booking.hold(wanted('09:00'))
  expect(await freeTimes(testApp)).toEqual(['03-03T09:30', '03-03T09:45'])
  await expect(other.caller.booking.hold(wanted('09:15'))).rejects.toMatchObject(TAKEN)
  // Adjacent visits do not overlap.
  await other.caller.booking.hold(wanted('09:30'))
  await one.caller.payments.leave({ holdId: early.id })
  // A visit at 09:15 would still overlap the one at 09:30.
  expect(await freeTimes(testApp)).toEqual(['03-03T09:00', '03-03T09:45'])
})

test('a time its provider has closed is taken, although not booked', async () => {
  await using testApp = await makeTestApp()
  const { wanted, one } = await makeBookers(testApp)
  await testApp.database.db
    .updateTable('slots')
    .set({ free: 0 })
    .where('start_at', '=', instantAt(NINE))
    .execute()
  expect(await one.caller.booking.checkSlot(wanted)).toEqual({ available: false })
  await expect(one.caller.booking.hold(wanted)).rejects.toMatchObject(TAKEN)
})

test('an unverified provider gets the same response as an unknown one', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { verification_status: 'Unverified' })
  const { caller } = await makePatient(testApp)
  for (const providerId of [provider.id, `prv_${'z'.repeat(26)}`]) {
    const wanted = { providerId, startsAt: NINE }
    await expect(caller.booking.hold(wanted)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This provider is not taking bookings.',
    })
    expect(await caller.booking.checkSlot(wanted)).toEqual({ available: false })
  }
})

test('a skipped local time cannot be held, and both instants of a repeated one can', async () => {
  await using testApp = await makeTestApp()
  const slots = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(instantAt)
  const { providerId, one, other } = await makeBookers(testApp, { slots })
  const skipped = one.caller.booking.hold({ providerId, date: '2026-03-29', time: '01:30' })
  await expect(skipped).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' })
  const first = await one.caller.booking.hold({ providerId, date: '2026-10-25', time: '01:30' })
  expect(first.startsAt).toBe('2026-10-25T00:30:00.000Z')
  const second = await other.caller.booking.hold({ providerId, startsAt: '2026-10-25T01:30:00Z' })
  expect(second.startsAt).toBe('2026-10-25T01:30:00.000Z')
})

test('the time of an expired hold goes to the next person, without its details', async () => {
  await using testApp = await makeTestApp()
  const { wanted, one: first, other: second } = await makeBookers(testApp)
  const old = await first.caller.booking.hold(wanted)
  testApp.advance(15 * MINUTE)
  const hold = await second.caller.booking.hold(wanted)
  expect(hold).toMatchObject({ state: 'held', holdUntil: '2026-03-02T09:30:00.000Z' })
  const expired = await first.caller.booking.current({ holdId: old.id })
  expect(expired).toMatchObject({ state: 'released', canRenew: false })
  expect(await freeTimes(testApp)).not.toContain('03-03T09:00')
})

test('an expired hold stays taken while its payment could still succeed', async () => {
  await using testApp = await makeTestApp()
  const { wanted, one: first, other: second } = await makeBookers(testApp)
  const hold = await first.caller.booking.hold(wanted)
  await verifyCode(first.ctx, hold.id)
  const payment = await startOpenPayment(first.ctx, hold.id)
  testApp.advance(20 * MINUTE)
  await expect(second.caller.booking.hold(wanted)).rejects.toMatchObject(TAKEN)
  await expect(first.caller.booking.hold(wanted)).rejects.toMatchObject({
    message: 'A payment for this visit is being made elsewhere. Finish it there, or wait a minute.',
  })
  expect(await settle(first.ctx, payment)).toBe(true)
})

test('a patient has at most three holds, and books at most ten visits a day', async () => {
  await using testApp = await makeTestApp()
  const { providerId, one: patient } = await makeBookers(testApp)
  const { ctx, caller } = patient
  const times = (await caller.availability.freeTimes({ providerId, days: 7 })).days
    .flatMap(({ slots }) => slots)
    .map(({ startsAt }) => startsAt)
  const [one = '', two = '', three = '', four = ''] = times
  for (const startsAt of [one, two, three]) await caller.booking.hold({ providerId, startsAt })
  await expect(caller.booking.hold({ providerId, startsAt: four })).rejects.toMatchObject({
    message: 'You’re already holding three times. Book or release one of them first.',
  })
  testApp.advance(15 * MINUTE)
  for (const startsAt of times.slice(0, 10)) {
    await bookVisit(ctx, { providerId, startsAt })
    // Cancelled, so that it does not count as upcoming.
    await testApp.database.db
      .updateTable('bookings')
      .set({ state: 'cancelled' })
      .where('state', '=', 'confirmed')
      .execute()
  }
  const [eleventh = ''] = times.slice(10)
  const refused = caller.booking.hold({ providerId, startsAt: eleventh })
  await expect(refused).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    cause: { details: { retryAfterSeconds: DAY_MS / 1_000 } },
  })
})

test('providers are told to sign in as patients, visitors to sign in', async () => {
  await using testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  const wanted = { providerId: provider.id, startsAt: NINE }
  const visitor = await browser.act('booking.hold', wanted)
  expect(visitor).toMatchObject({ status: 401, code: 'sign_in_required' })
  expect((await browser.ask('booking.checkSlot', wanted)).data).toEqual({ available: true })
  await browser.signIn(account)
  for (const outcome of [
    await browser.act('booking.hold', wanted),
    await browser.ask('booking.visits', { when: 'coming' }),
  ]) {
    expect(outcome).toMatchObject({ status: 403, message: 'Sign in as a patient to book.' })
  }
})

test('a held time counts as available to its holder, not to others', async () => {
  await using testApp = await makeTestApp()
  const { wanted, one, other } = await makeBookers(testApp)
  await one.caller.booking.hold(wanted)
  expect(await one.caller.booking.checkSlot(wanted)).toEqual({ available: true })
  expect(await other.caller.booking.checkSlot(wanted)).toEqual({ available: false })
  expect(await testApp.caller().booking.checkSlot(wanted)).toEqual({ available: false })
})

test('a purpose written for a lost time is kept for the next hold, for a day', async () => {
  await using testApp = await makeTestApp()
  const { providerId, one, other } = await makeBookers(testApp)
  const { caller, ctx } = one
  const purposeForVisit = 'A cough that will not go away'
  const lost = await caller.booking.hold({ providerId, startsAt: NINE })
  await caller.booking.describe({ holdId: lost.id, purposeForVisit })
  testApp.advance(15 * MINUTE)
  await caller.payments.leave({ holdId: lost.id })
  const next = await caller.booking.hold({ providerId, startsAt: HALF_PAST })
  expect(next.purposeForVisit).toBe(purposeForVisit)
  const theirs = await other.caller.booking.hold({ providerId, startsAt: NINE })
  expect(theirs.purposeForVisit).toBe('')
  const purposes = async () => {
    await purgePurposes(testApp.services)
    const rows = await testApp.database.db.selectFrom('bookings').select('purpose').execute()
    return rows.map(({ purpose }) => purpose)
  }
  expect(await purposes()).toEqual([purposeForVisit, purposeForVisit, ''])
  await bookVisit(ctx, { providerId, startsAt: HALF_PAST })
  testApp.advance(DAY_MS + 1)
  // The booked visit keeps its purpose for the provider.
  expect(await purposes()).toEqual(['', purposeForVisit, ''])
})

const SKIPPED = 'This time does not exist on that day (clocks change).'
const PAST = 'This time has already passed.'

test.each([
  [{ startsAt: '2026-03-03T09:10:00Z' }, 404, 'That time is not offered.'],
  [{ startsAt: '2026-03-02T08:30:00Z' }, 409, PAST],
  // This very moment.
  [{ startsAt: '2026-03-02T09:00:00Z' }, 409, PAST],
  [{ date: '2027-02-31', time: '09:00' }, 400, 'Enter a real date.'],
  [{ date: '31/02/2027', time: '09:00' }, 400, 'Enter a real date.'],
  [{ date: '2027-13-01', time: '09:00' }, 400, 'Enter a real date.'],
  [{ date: 'tomorrow', time: '09:00' }, 400, 'Enter a real date.'],
  [{ startsAt: 'tomorrow' }, 400, 'Enter a real date.'],
  [{ date: '2027-03-28', time: '01:30' }, 422, SKIPPED],
  [{ startsAt: NINE, amount: 1 }, 400, 'Unknown field.'],
  [{ startsAt: NINE, patientId: `usr_${'0'.repeat(26)}` }, 400, 'Unknown field.'],
])('%j gets %i: %s', async (when, status, message) => {
  await using testApp = await makeTestApp()
  const { id: providerId } = await makeProvider(testApp)
  const { account } = await makePatient(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const outcome = await browser.act('booking.hold', { providerId, ...when })
  expect(outcome).toMatchObject({ status, message })
  const rows = await testApp.database.db.selectFrom('bookings').select('no').execute()
  expect(rows).toEqual([])
})

test('a hold is written completely or not at all', async () => {
  await using testApp = await makeTestApp()
  const { wanted, one } = await makeBookers(testApp)
  const { caller, ctx } = one
  const rows = async () => {
    const { db } = testApp.database
    const tables = ['bookings', 'slot_claims', 'outbox', 'audit'] as const
    const found = tables.map((table) => db.selectFrom(table).selectAll().execute())
    return (await Promise.all(found)).map(({ length }) => length)
  }
  const audit = { add: () => Promise.reject(new Error('disk')) }
  const broken: SignedIn = {
    ...ctx,
    transaction: (work) => ctx.transaction((tx) => work({ ...tx, audit })),
  }
  const before = await rows()
  await expect(holdSlot(broken, wanted)).rejects.toThrow('disk')
  expect(await rows()).toEqual(before)
  expect(await freeTimes(testApp)).toContain('03-03T09:00')
  await caller.booking.hold(wanted)
  expect(await rows()).toEqual(before.map((n) => n + 1))
})

const TUESDAY = [{ weekday: 2, from: at('9:00'), to: at('12:00') }]

/** The same patient, whose transaction begins only once something else has happened. */
function runsAfter(ctx: SignedIn, first: () => Promise<unknown>): SignedIn {
  let isFirst = true
  return {
    ...ctx,
    transaction: async (work) => {
      if (isFirst) await first()
      isFirst = false
      return ctx.transaction(work)
    },
  }
}

async function leave(clinician: Clinician, date: string) {
  const { version } = await clinician.mine()
  const away = { version, placeId: null, from: date, to: date }
  return clinician.caller.availability.addAbsence(away)
}

describeEngines('a time its provider closes while it is being held', (makeDatabase) => {
  const begin = async (places?: { name?: string }[]) => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp, places === undefined ? {} : { places })
    await clinician.save(TUESDAY)
    const patient = await makePatient(testApp)
    const wanted = { providerId: clinician.id, startsAt: NINE }
    return { testApp, clinician, patient, wanted }
  }

  test('is not held on a day the provider is absent', async () => {
    const { testApp, clinician, patient, wanted } = await begin()
    const late = runsAfter(patient.ctx, () => leave(clinician, '2026-03-03'))
    await expect(holdSlot(late, wanted)).rejects.toMatchObject({ code: 'slot_not_offered' })
    expect(await slotClaims(testApp)).toEqual([])
  })

  test('is not held at a place removed meanwhile', async () => {
    const { testApp, clinician, patient, wanted } = await begin([{}, { name: 'Canal Clinic' }])
    const { places } = await clinician.mine()
    const moved = TUESDAY.map((range) => ({ ...range, placeId: places[1]?.id ?? '' }))
    const late = runsAfter(patient.ctx, () => clinician.save(moved))
    await expect(holdSlot(late, wanted)).rejects.toMatchObject({ code: 'slot_not_offered' })
    const hold = await holdSlot(patient.ctx, wanted)
    expect(hold.place.name).toBe('Canal Clinic')
    expect(await slotClaims(testApp)).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import type { VisitMode } from '#contract/search.ts'
import { expectConsistentRows } from '#tests/engines/slot-invariants.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { at, makeClinician, makeVisitTypeEditor } from '#tests/harness/clinician.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, settle, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'
import { holdSlot } from './hold-slot.ts'

const DAY = '2026-03-03'
const MORNING = [{ weekday: 2, from: at('9:00'), to: at('12:00') }]
const iso = (time: string) => `${DAY}T${time}:00.000Z`

/**
 * Visits of 20 minutes with 10 between them on a Tuesday morning: 9:00, 9:30, … 11:30; and a check-up of
 * 40 minutes, which takes two of those times.
 */
async function openWithTypes(testApp: TestApp) {
  const clinician = await makeClinician(testApp, {
    consultation_minutes: 20,
    offers_in_person: 1,
    offers_video: 1,
    video_link: 'https://video.example/room',
  })
  await clinician.save(MORNING, { bufferMinutes: 10 })
  const desk = await makeVisitTypeEditor(testApp, clinician)
  await desk.save({ name: 'Check-up', minutes: 40, amount: 9_000, follow_amount: 7_000 })
  await desk.save({ name: 'Video consultation', minutes: 20, mode: 'video' })
  const checkUp = await desk.idOf('Check-up')
  const video = await desk.idOf('Video consultation')
  const wanted = (time: string, typeId?: string) => ({
    providerId: clinician.id,
    startsAt: iso(time),
    ...(typeId === undefined ? {} : { typeId }),
  })
  const free = async (typeId?: string) => {
    const input = { providerId: clinician.id, from: DAY, days: 1, typeId }
    const { days } = await testApp.caller().availability.freeTimes(input)
    return days.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt.slice(11, 16)))
  }
  return { clinician, desk, checkUp, video, wanted, free }
}

describeEngines('types of visits', (makeDatabase) => {
  test('a longer visit takes whole consecutive times, with the buffer after it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, wanted, free } = await openWithTypes(testApp)
    expect(await free()).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'])
    expect(await free(checkUp)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00'])
    const { caller } = await makePatient(testApp)
    const hold = await caller.booking.hold(wanted('10:00', checkUp))
    expect(hold).toMatchObject({
      startsAt: iso('10:00'),
      endsAt: iso('10:40'),
      typeId: checkUp,
      typeName: 'Check-up',
      fees: { first_visit: { minor: 9_000 }, follow_up: { minor: 7_000 } },
    })
    const [claim] = await testApp.database.db.selectFrom('slot_claims').selectAll().execute()
    const times = ['10:00', '10:50'].map((time) => Date.parse(iso(time)))
    expect([claim?.start_at, claim?.end_at]).toEqual(times)
    expect(await free()).toEqual(['09:00', '09:30', '11:00', '11:30'])
    expect(await free(checkUp)).toEqual(['09:00', '11:00'])
    await caller.payments.leave({ holdId: hold.id })
    expect(await free(checkUp)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00'])
  })

  test('of two concurrent overlapping holds one gets the time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, video, wanted } = await openWithTypes(testApp)
    const wishes = [
      wanted('10:00', checkUp),
      wanted('10:30'),
      wanted('10:30', video),
      wanted('09:30', checkUp),
      wanted('10:30', checkUp),
    ]
    const patients = await Promise.all(Array.from({ length: 20 }, () => makePatient(testApp)))
    const results = await Promise.all(
      patients.map(({ caller }, n) => {
        const wish = wishes[n % wishes.length] ?? wanted('10:00')
        return errorCodeOf(caller.booking.hold(wish))
      }),
    )
    const claims = await testApp.database.db
      .selectFrom('slot_claims')
      .select(['start_at', 'end_at'])
      .orderBy('start_at')
      .execute()
    expect(claims.length).toBe(results.filter((code) => code === null).length)
    expect(claims.length).toBeGreaterThan(0)
    // At most one of them has 10:30, and none overlaps another or its buffer.
    for (const [n, claim] of claims.entries()) {
      const before = claims[n - 1]?.end_at ?? 0
      expect(claim.start_at - before).toBeGreaterThanOrEqual(600_000)
    }
    expect(results.filter((code) => code !== null && code !== 'slot_taken')).toEqual([])
    await expectConsistentRows(testApp.database)
  })

  test('a moved visit keeps its type, length and price', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, desk, wanted, free } = await openWithTypes(testApp)
    const { ctx, caller } = await makePatient(testApp)
    const id = await bookVisit(ctx, wanted('09:00', checkUp))
    // The type changes and is archived: the booked visit stays as agreed.
    await desk.save({ typeId: checkUp, name: 'Check-up', minutes: 20, amount: 20_000 })
    await desk.browser.act('profiles.archiveVisitType', { typeId: checkUp })
    const { caller: other } = await makePatient(testApp)
    await other.booking.hold(wanted('11:00'))
    const { sequence, typeId } = await caller.visits.terms({ id })
    expect(typeId).toBe(checkUp)
    const to = (time: string) => ({ id, sequence, slot: { startsAt: iso(time) } })
    // Only one of the two slots it needs is free.
    expect(await errorCodeOf(caller.visits.move(to('10:30')))).toBe('slot_taken')
    expect(await errorCodeOf(caller.visits.move(to('11:30')))).toBe('slot_not_offered')
    const { visit } = await caller.visits.move(to('10:00'))
    expect(visit).toMatchObject({
      startsAt: iso('10:00'),
      endsAt: iso('10:40'),
      typeName: 'Check-up',
      fee: { minor: 9_000 },
    })
    expect(await free()).toEqual(['09:00', '09:30', '11:30'])
    await expectConsistentRows(testApp.database)
  })
})

test('a type of another provider, an unknown or an archived one is refused, and nothing is held', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, desk, wanted } = await openWithTypes(testApp)
  const stranger = await makeClinician(testApp, { first_name: 'Nikhil' })
  await desk.browser.act('profiles.archiveVisitType', { typeId: checkUp })
  const { caller } = await makePatient(testApp)
  for (const typeId of [checkUp, `vtp_${stranger.id.slice(4)}`, `vtp_${'z'.repeat(26)}`]) {
    for (const act of [caller.booking.hold, caller.booking.checkSlot]) {
      expect(await errorCodeOf(act(wanted('09:00', typeId)))).toBe('visit_type_not_offered')
    }
  }
  expect(await testApp.database.db.selectFrom('bookings').select('no').execute()).toEqual([])
})

test('a type has its own modes, and the last choice counts', async () => {
  await using testApp = await makeTestApp()
  const { video, wanted } = await openWithTypes(testApp)
  const { caller } = await makePatient(testApp)
  const hold = await caller.booking.hold(wanted('09:00', video))
  expect(hold).toMatchObject({ mode: 'video', modes: ['video'] })
  const inPerson = { ...wanted('09:30', video), mode: 'in_person' as const }
  expect(await errorCodeOf(caller.booking.hold(inPerson))).toBe('mode_not_offered')
  const described = caller.booking.describe({ holdId: hold.id, mode: 'in_person' })
  expect(await errorCodeOf(described)).toBe('mode_not_offered')
  const first = await caller.booking.hold({ ...wanted('10:00'), mode: 'video' })
  const again = await caller.booking.hold({ ...wanted('10:00'), mode: 'in_person' })
  expect(again).toMatchObject({ id: first.id, mode: 'in_person' })
})

test('a hold for another type at the same time replaces the first', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, wanted, free } = await openWithTypes(testApp)
  const { caller } = await makePatient(testApp)
  const short = await caller.booking.hold(wanted('09:00'))
  const long = await caller.booking.hold(wanted('09:00', checkUp))
  expect(long.id).not.toBe(short.id)
  expect(await caller.booking.hold(wanted('09:00', checkUp))).toMatchObject({ id: long.id })
  expect(await free()).toEqual(['10:00', '10:30', '11:00', '11:30'])
  const browser = new Browser(testApp)
  const visit = { ...wanted('10:00') }
  expect((await browser.act('booking.holdAsVisitor', visit)).status).toBe(200)
  const { data } = await browser.act('booking.holdAsVisitor', { ...visit, typeId: checkUp })
  expect(data).toMatchObject({ typeId: checkUp, endsAt: iso('10:40') })
  expect(await free()).toEqual(['11:00', '11:30'])
})

test('its name is shown with the kind, except by a provider with only one', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, desk, wanted } = await openWithTypes(testApp)
  const { ctx, caller } = await makePatient(testApp)
  const named = await bookVisit(ctx, wanted('09:00', checkUp))
  await testApp.drainOutbox()
  const texts = testApp.mails.map(({ text }) => text).join('\n')
  expect(texts).toContain('Check-up')
  const { text } = await caller.booking.calendar({ id: named })
  expect(text).toContain('DESCRIPTION:Check-up\\nReference')
  const { data } = await desk.browser.ask('booking.week', { from: DAY })
  expect(data).toMatchObject({ visits: [{ typeName: 'Check-up' }] })
  for (const { id: typeId, name } of await desk.own()) {
    if (name !== 'Consultation') await desk.browser.act('profiles.archiveVisitType', { typeId })
  }
  const plain = await bookVisit(ctx, wanted('11:00'))
  expect(await caller.booking.visit({ id: plain })).toMatchObject({ typeName: null })
  // The type was renamed and archived since: the visit keeps the name it was booked with.
  expect(await caller.booking.visit({ id: named })).toMatchObject({ typeName: 'Check-up' })
})

const NINE_IN_USA = '2026-03-03T15:00:00.000Z'
const SLOTS = [Date.parse(NINE_IN_USA), Date.parse(NINE_IN_USA) + 3_600_000]
const both = { offers_in_person: 1, offers_video: 1 } as const

type Columns = Parameters<typeof makeProvider>[1]

async function openWithModes(testApp: TestApp, columns: Columns = both) {
  const provider = await makeProvider(testApp, { slots: SLOTS, ...columns })
  const patient = await makePatient(testApp)
  const hold = (mode?: VisitMode) =>
    patient.caller.booking.hold({ providerId: provider.id, startsAt: NINE_IN_USA, mode })
  return { provider, ...patient, hold }
}

/** A provider in Austin, Texas, with a known ZIP code. */
async function openAustin(testApp: TestApp, columns: Columns = {}) {
  const zip = { latitude: 30.24, longitude: -97.77, city: 'Austin', time_zone: 'America/Chicago' }
  await testApp.database.db
    .insertInto('geo_us_zips')
    .values({ zip: '78704', state: 'TX', kind: 'zcta', ...zip })
    .execute()
  const opened = await openWithModes(testApp, {
    ...both,
    region: 'usa',
    currency: 'USD',
    place: { postcode: '78704', locality: 'Austin, TX', time_zone: 'America/Chicago' },
    ...columns,
  })
  const { id: holdId } = await opened.hold('video')
  await verifyCode(opened.ctx, holdId)
  const pay = () => startOpenPayment(opened.ctx, holdId, { minor: 6_000, currency: 'USD' })
  return { ...opened, holdId, pay }
}

describeEngines('the visit mode', (makeDatabase) => {
  test('chosen with the time, it is shown on the hold, the visit and in every list', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { ctx, caller, provider } = await openWithModes(testApp)
    const wanted = { providerId: provider.id, startsAt: NINE_IN_USA, mode: 'video' as const }
    const id = await bookVisit(ctx, wanted)
    expect(await caller.booking.visit({ id })).toMatchObject({ mode: 'video', patientState: null })
    const row = await testApp.database.db
      .selectFrom('bookings')
      .select(['mode', 'video_room', 'patient_state'])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ mode: 'video', video_room: null, patient_state: null })
  })

  test('in the USA the state is required, stored, and must be one the provider is licensed in', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { caller, holdId, pay, ctx } = await openAustin(testApp)
    const held = await caller.booking.current({ holdId })
    expect(held).toMatchObject({ mode: 'video', licensedStates: ['TX'], patientState: null })
    await expect(pay()).rejects.toMatchObject({ code: 'state_missing' })
    await expect(caller.booking.describe({ holdId, patientState: 'OH' })).rejects.toMatchObject({
      message:
        'This provider isn’t licensed in that state. They can see you by video while you’re in Texas.',
    })
    await caller.booking.describe({ holdId, patientState: 'TX' })
    await settle(ctx, await pay())
    const visit = await caller.booking.visit({ id: holdId })
    expect(visit).toMatchObject({ mode: 'video', patientState: 'Texas' })
  })
})

test('in person by default, and by video where nothing else is offered', async () => {
  await using testApp = await makeTestApp()
  expect((await (await openWithModes(testApp)).hold()).mode).toBe('in_person')
  const only = await openWithModes(testApp, { offers_in_person: 0, offers_video: 1 })
  expect(await only.hold()).toMatchObject({ mode: 'video', modes: ['video'] })
})

test('a mode that is not offered is refused when holding, later and at the payment', async () => {
  await using testApp = await makeTestApp()
  const plain = await openWithModes(testApp, { offers_video: 0 })
  await expect(plain.hold('video')).rejects.toMatchObject({
    message: 'This provider doesn’t offer video visits at the moment. Choose an in-person visit.',
  })
  const { id: holdId } = await plain.hold()
  const { describe } = plain.caller.booking
  expect(await errorCodeOf(describe({ holdId, mode: 'video' }))).toBe('mode_not_offered')
  const opened = await openWithModes(testApp)
  const held = await opened.hold('video')
  await verifyCode(opened.ctx, held.id)
  await testApp.database.db
    .updateTable('providers')
    .set({ offers_video: 0 })
    .where('no', '=', opened.provider.no)
    .execute()
  const payment = startOpenPayment(opened.ctx, held.id)
  await expect(payment).rejects.toMatchObject({ code: 'mode_not_offered' })
})

test('it can be changed in the checkout, but not during a payment', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, hold } = await openWithModes(testApp)
  const { id: holdId } = await hold()
  expect((await caller.booking.describe({ holdId, mode: 'video' })).mode).toBe('video')
  await verifyCode(ctx, holdId)
  await startOpenPayment(ctx, holdId)
  const changed = caller.booking.describe({ holdId, mode: 'in_person' })
  expect(await errorCodeOf(changed)).toBe('payment_busy')
})

test('a visitor’s choice is kept when they sign in', async () => {
  await using testApp = await makeTestApp()
  const { provider } = await openWithModes(testApp)
  const hold = await testApp
    .caller()
    .booking.holdAsVisitor({ providerId: provider.id, startsAt: NINE_IN_USA, mode: 'video' })
  expect(hold.mode).toBe('video')
})

test('the states a provider has named take precedence over those of their places', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId, pay } = await openAustin(testApp, { licensed_states: '["LA","TX"]' })
  await caller.booking.describe({ holdId, patientState: 'LA' })
  await testApp.database.db.updateTable('providers').set({ licensed_states: '["TX"]' }).execute()
  await expect(pay()).rejects.toMatchObject({ code: 'state_not_licensed' })
})

test('a visit in person stores no state', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId, pay, ctx } = await openAustin(testApp)
  await caller.booking.describe({ holdId, patientState: 'TX' })
  await caller.booking.describe({ holdId, mode: 'in_person' })
  await settle(ctx, await pay())
  const visit = await caller.booking.visit({ id: holdId })
  expect(visit).toMatchObject({ mode: 'in_person', patientState: null })
})

const NINE = '2026-03-03T09:00:00.000Z'
const HALF_PAST = '2026-03-03T09:30:00.000Z'
const MINUTE = 60_000

const overlap = {
  code: 'visits_overlap',
  details: {
    provider: 'Dr Amara Okafor',
    startsAt: NINE,
    timeZone: 'Europe/London',
    time: '09:00',
    date: 'Tuesday 3 March',
  },
  message: 'You already have an appointment with Dr Amara Okafor at 09:00 on Tuesday 3 March.',
}

describeEngines('a patient with overlapping visits', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other] = [await makeProvider(testApp), await makeProvider(testApp)]
    const { ctx } = await makePatient(testApp)
    const first = { providerId: one.id, startsAt: NINE }
    const second = { providerId: other.id, startsAt: NINE }
    return { testApp, ctx, first, second }
  }

  test('is told which visit or hold it is, and may have both', async () => {
    const { testApp, ctx, first, second } = await begin()
    await bookVisit(ctx, first)
    await expect(holdSlot(ctx, second)).rejects.toMatchObject(overlap)
    const hold = await holdSlot(ctx, { ...second, overlapOk: true })
    expect(hold.state).toBe('held')
    // A repeat returns the same hold without asking again.
    expect((await holdSlot(ctx, second)).id).toBe(hold.id)
    const third = { ...second, providerId: (await makeProvider(testApp)).id }
    await expect(holdSlot(ctx, third)).rejects.toMatchObject({ code: 'visits_overlap' })
    const { ctx: stranger } = await makePatient(testApp)
    expect((await holdSlot(stranger, third)).state).toBe('held')
  })

  test('is asked only about overlapping times', async () => {
    const { testApp, ctx, first, second } = await begin()
    await holdSlot(ctx, first)
    expect((await holdSlot(ctx, { ...second, startsAt: HALF_PAST })).state).toBe('held')
    const start = Date.parse(NINE) + 29 * MINUTE
    const { id } = await makeProvider(testApp, { slots: [start] })
    const late = { providerId: id, startsAt: new Date(start).toISOString() }
    await expect(holdSlot(ctx, late)).rejects.toMatchObject(overlap)
  })

  test('is not asked about an expired hold', async () => {
    const { testApp, ctx, first, second } = await begin()
    await holdSlot(ctx, first)
    testApp.advance(15 * MINUTE)
    expect((await holdSlot(ctx, second)).state).toBe('held')
  })

  test('of two concurrent holds gets one, and is asked about the other', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { ctx, first, second } = await begin()
      const fates = await Promise.allSettled([holdSlot(ctx, first), holdSlot(ctx, second)])
      const refused = fates.filter((fate) => fate.status === 'rejected')
      expect(refused).toMatchObject([{ reason: { code: 'visits_overlap' } }])
    }
  })
})

import { expect, test } from 'vitest'
import type { VisitMode } from '#contract/search.ts'
import { errorCodeOf } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, settle, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'

const NINE = '2026-03-03T15:00:00.000Z'
const SLOTS = [Date.parse(NINE), Date.parse(NINE) + 3_600_000]
const both = { offers_in_person: 1, offers_video: 1 } as const

type Columns = Parameters<typeof makeProvider>[1]

async function open(testApp: TestApp, columns: Columns = both) {
  const provider = await makeProvider(testApp, { slots: SLOTS, ...columns })
  const patient = await makePatient(testApp)
  const hold = (mode?: VisitMode) =>
    patient.caller.booking.hold({ providerId: provider.id, startsAt: NINE, mode })
  return { provider, ...patient, hold }
}

/** A provider in Austin, Texas, with a known ZIP code. */
async function openAustin(testApp: TestApp, columns: Columns = {}) {
  const zip = { latitude: 30.24, longitude: -97.77, city: 'Austin', time_zone: 'America/Chicago' }
  await testApp.database.db
    .insertInto('geo_us_zips')
    .values({ zip: '78704', state: 'TX', kind: 'zcta', ...zip })
    .execute()
  const at = await open(testApp, {
    ...both,
    region: 'usa',
    currency: 'USD',
    place: { postcode: '78704', locality: 'Austin, TX', time_zone: 'America/Chicago' },
    ...columns,
  })
  const { id: holdId } = await at.hold('video')
  await verifyCode(at.ctx, holdId)
  const pay = () => startOpenPayment(at.ctx, holdId, { minor: 6_000, currency: 'USD' })
  return { ...at, holdId, pay }
}

describeEngines('how a visit takes place', (makeDatabase) => {
  test('chosen with the time, it is on the hold, the visit and everywhere it is listed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { ctx, caller, provider } = await open(testApp)
    const wanted = { providerId: provider.id, startsAt: NINE, mode: 'video' as const }
    const id = await bookVisit(ctx, wanted)
    expect(await caller.booking.visit({ id })).toMatchObject({ mode: 'video', patientState: null })
    const row = await testApp.database.db
      .selectFrom('bookings')
      .select(['mode', 'video_room', 'patient_state'])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ mode: 'video', video_room: null, patient_state: null })
  })

  test('in the USA the state is asked for, kept, and only one the provider is licensed in will do', async () => {
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
    expect(await caller.booking.visit({ id: holdId })).toMatchObject({
      mode: 'video',
      patientState: 'Texas',
    })
  })
})

test('in person unless said otherwise, and by video where there is nothing else', async () => {
  await using testApp = await makeTestApp()
  expect((await (await open(testApp)).hold()).mode).toBe('in_person')
  const only = await open(testApp, { offers_in_person: 0, offers_video: 1 })
  expect(await only.hold()).toMatchObject({ mode: 'video', modes: ['video'] })
})

test('what a provider does not offer is refused, at the time, later and at the payment', async () => {
  await using testApp = await makeTestApp()
  const plain = await open(testApp, { offers_video: 0 })
  await expect(plain.hold('video')).rejects.toMatchObject({
    message: 'This provider doesn’t offer video visits at the moment. Choose an in-person visit.',
  })
  const { id: holdId } = await plain.hold()
  const { describe } = plain.caller.booking
  expect(await errorCodeOf(describe({ holdId, mode: 'video' }))).toBe('mode_not_offered')
  const at = await open(testApp)
  const held = await at.hold('video')
  await verifyCode(at.ctx, held.id)
  await testApp.database.db
    .updateTable('providers')
    .set({ offers_video: 0 })
    .where('no', '=', at.provider.no)
    .execute()
  await expect(startOpenPayment(at.ctx, held.id)).rejects.toMatchObject({
    code: 'mode_not_offered',
  })
})

test('it is changed in the checkout, but not under a payment that is being made', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, hold } = await open(testApp)
  const { id: holdId } = await hold()
  expect((await caller.booking.describe({ holdId, mode: 'video' })).mode).toBe('video')
  await verifyCode(ctx, holdId)
  await startOpenPayment(ctx, holdId)
  expect(await errorCodeOf(caller.booking.describe({ holdId, mode: 'in_person' }))).toBe(
    'payment_busy',
  )
})

test('a visitor’s choice is theirs once they have signed in', async () => {
  await using testApp = await makeTestApp()
  const { provider } = await open(testApp)
  const hold = await testApp
    .caller()
    .booking.holdAsVisitor({ providerId: provider.id, startsAt: NINE, mode: 'video' })
  expect(hold.mode).toBe('video')
})

test('the states a provider has named go before those of their places', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId, pay } = await openAustin(testApp, { licensed_states: '["LA","TX"]' })
  await caller.booking.describe({ holdId, patientState: 'LA' })
  await testApp.database.db.updateTable('providers').set({ licensed_states: '["TX"]' }).execute()
  await expect(pay()).rejects.toMatchObject({ code: 'state_not_licensed' })
})

test('a visit in person keeps no state', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId, pay, ctx } = await openAustin(testApp)
  await caller.booking.describe({ holdId, patientState: 'TX' })
  await caller.booking.describe({ holdId, mode: 'in_person' })
  await settle(ctx, await pay())
  expect(await caller.booking.visit({ id: holdId })).toMatchObject({
    mode: 'in_person',
    patientState: null,
  })
})

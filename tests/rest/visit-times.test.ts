import { expect, test } from 'vitest'
import { makeAccount, makeOwner, makeProviderAccount } from '#tests/harness/accounts.ts'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { programOf, rowsOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const startsOf = (body: Record<string, unknown>) =>
  rowsOf(body['times']).map(({ starts_at: at }) => at)

/** Adds a type of one hour, twice as long as the first, and makes it the type of all visits. */
async function bookAsLong({ services, database: { db } }: TestApp): Promise<void> {
  const { no: _, ...first } = await db
    .selectFrom('visit_types')
    .selectAll()
    .executeTakeFirstOrThrow()
  const { no } = await db
    .insertInto('visit_types')
    .values({ ...first, id: services.newId('vtp'), position: 1, name: 'Check-up', minutes: 60 })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db.updateTable('bookings').set({ type_no: no }).execute()
}

test('the times a visit can be moved to are those of its own type, for either side', async () => {
  await using testApp = await makeTestApp()
  const slots = ['09:00', '09:30', '10:30'].map((time) => Date.parse(`2026-03-03T${time}Z`))
  const provider = await makeProvider(testApp, { slots })
  const patient = await makeAccount(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: patient.no,
    startsAt: '2026-03-05T09:00:00Z',
    minutes: 60,
  })
  await bookAsLong(testApp)
  const program = await programOf(testApp, patient)
  const owner = await programOf(testApp, await makeOwner(testApp, provider))
  const own = await program.send(`GET /user/visits/${id}/times/?from=03/03/2026&days=1`)
  const theirs = await owner.send(`GET /provider/visits/${id}/times/?from=03/03/2026&days=1`)
  expect(startsOf(own.body)).toEqual(['2026-03-03T09:00:00.000Z'])
  expect(startsOf(theirs.body)).toEqual(['2026-03-03T09:00:00.000Z'])
})

test('a time proposed at a place in another zone can be chosen as listed', async () => {
  await using testApp = await makeTestApp()
  const { db } = testApp.database
  const startAt = Date.parse('2026-03-03T15:00:00Z')
  const provider = await makeProvider(testApp, {
    region: 'usa',
    currency: 'USD',
    places: [{ time_zone: 'America/New_York' }, { time_zone: 'America/Chicago' }],
    // At the main place the same local time is offered too.
    slots: [startAt, Date.parse('2026-03-03T14:00:00Z')],
  })
  const [, chicago = 0] = provider.placeNos
  await db.updateTable('slots').set({ place_no: chicago }).where('start_at', '=', startAt).execute()
  const patient = await makeAccount(testApp)
  const { id, no } = await insertVisit(testApp, provider, {
    patientNo: patient.no,
    startsAt: '2026-03-05T15:00:00Z',
    region: 'usa',
  })
  const span = { start_at: startAt + 48 * 3_600_000, end_at: startAt + 48.5 * 3_600_000 }
  await db
    .insertInto('slot_claims')
    .values({ booking_no: no, provider_no: provider.no, ...span })
    .execute()
  await db
    .insertInto('visit_proposals')
    .values({ booking_no: no, position: 0, start_at: startAt, place_no: chicago, at: 1 })
    .execute()
  const program = await programOf(testApp, patient)
  const { body } = await program.send(`GET /user/visits/${id}/proposal/`)
  const [{ date, start_time: time, starts_at: at } = {}] = rowsOf(body['times'])
  expect(at).toBe('2026-03-03T15:00:00.000Z')
  const moved = await program.send(`POST /user/visits/${id}/move/`, {
    body: { sequence: 0, date, time },
  })
  expect(moved.body).toMatchObject({ status: true, moves_left: 3 })
  const { start_at: now } = await db
    .selectFrom('bookings')
    .select('start_at')
    .executeTakeFirstOrThrow()
  expect(now).toBe(startAt)
})

test('a wallet payment for a time in another zone is verified by the times listed for booking', async () => {
  await using fixture = await makePaymentFixture()
  const { testApp, sandbox } = fixture
  const { id: providerId } = await makeProvider(testApp, {
    region: 'usa',
    currency: 'USD',
    places: [{ time_zone: 'America/New_York' }, { time_zone: 'America/Chicago' }],
    slots: [Date.parse('2026-03-03T15:00:00Z')],
    slotPlace: 1,
  })
  const account = await makeAccount(testApp)
  const program = await programOf(testApp, account)
  const listed = await program.send(`GET /api/doctors/${providerId}/times/?from=03/03/2026&days=1`)
  const [{ date, start_time: time } = {}] = rowsOf(listed.body['times'])
  expect([listed.body['time_zone'], time]).toEqual(['America/New_York', '10:00'])
  const code = `/user/user-otp-verification/${program.userId}/`
  await program.send(`POST ${code}`)
  await program.send(`GET ${code}?otp=${codeIn(await lastMailTo(testApp, account.email))}`)
  const purpose = 'A cough that will not go away'
  const begun = await program.send(`POST /user/paypal-order/${program.userId}/`, {
    body: { providerId, bookedDate: date, timeSlot: time, purpose_for_visit: purpose },
  })
  const orderID = String(begun.body['orderID'])
  sandbox.approve(orderID)
  const verify = async (formattedEndTime: string) => {
    const bookingDetails = { date, time }
    const { body } = await program.send('POST /user/verify-payment/', {
      body: { orderID, bookingDetails, formattedEndTime },
    })
    return body['success']
  }
  expect(await verify('11:00')).toBe(false)
  expect(await verify('10:30')).toBe(true)
})

test('of a time that occurs twice, a desk visit gets the first, or the instant that is sent', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const program = await programOf(testApp, account)
  const patient = { kind: 'walk_in', name: 'Ida Rowe', minutes: 30 }
  const add = (when: object) =>
    program.send('POST /provider/desk-visits/', { body: { ...patient, ...when } })
  const first = await add({ date: '25/10/2026', time: '01:30' })
  const second = await add({ starts_at: '2026-10-25T01:30:00Z' })
  for (const { body } of [first, second]) {
    expect(body).toMatchObject({ date: '25/10/2026', start_time: '01:30' })
  }
  const startsAt = [first, second].map(({ body }) => body['starts_at'])
  expect(startsAt).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
  const moved = await program.send(
    `POST /provider/desk-visits/${String(second.body['id'])}/move/`,
    {
      body: { sequence: 0, starts_at: '2026-11-02T09:00:00Z' },
    },
  )
  expect(moved.body).toMatchObject({ date: '02/11/2026', start_time: '09:00' })
  const none = await add({ date: '25/10/2026' })
  expect(none.body).toMatchObject({ code: 'date_invalid', issues: [{ path: 'date' }] })
})

test('of a time that occurs twice, a visit is moved to the first, or to the instant that is sent', async () => {
  await using testApp = await makeTestApp()
  const both = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']
  const slots = both.map((at) => Date.parse(at))
  const provider = await makeProvider(testApp, { slots })
  const patient = await makeAccount(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: patient.no,
    startsAt: '2026-03-05T09:00:00Z',
  })
  const program = await programOf(testApp, patient)
  const owner = await programOf(testApp, await makeOwner(testApp, provider))
  const path = `/user/visits/${id}`
  const listed = await program.send(`GET ${path}/times/?from=25/10/2026&days=1`)
  expect(startsOf(listed.body)).toEqual(both)
  const [, second] = both
  const proposed = await owner.send(`POST /provider/visits/${id}/propose/`, {
    body: { sequence: 0, times: [{ starts_at: second }] },
  })
  expect(proposed.body).toMatchObject({ status: true })
  const { body } = await program.send(`GET ${path}/proposal/`)
  expect(startsOf(body)).toEqual([second])
  const { db } = testApp.database
  const visit = await db
    .selectFrom('bookings')
    .select(['no as booking_no', 'provider_no', 'start_at', 'end_at'])
    .executeTakeFirstOrThrow()
  await db.insertInto('slot_claims').values(visit).execute()
  const send = (when: object, sequence: number) =>
    program.send(`POST ${path}/move/`, { body: { sequence, ...when } })
  const shown = { date: '25/10/2026', start_time: '01:30' }
  const wall = { date: '25/10/2026', time: '01:30' }
  expect((await send({ starts_at: second }, 0)).body).toMatchObject({ ...shown, starts_at: second })
  expect((await send(wall, 1)).body).toMatchObject({ ...shown, starts_at: both[0] })
  const agreed = await owner.send(`POST /provider/visits/${id}/move/`, {
    body: { sequence: 2, starts_at: second },
  })
  expect(agreed.body).toMatchObject({ ...shown, starts_at: second, sequence: 3 })
  const none = await send({ date: '25/10/2026' }, 3)
  expect(none.body).toMatchObject({ code: 'date_invalid', issues: [{ path: 'date' }] })
})

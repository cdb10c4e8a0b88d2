import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { lockProviderClaims } from '#server/booking/hold/slot-store.ts'
import { providerFeed } from '#server/booking/visits/calendar-feed.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { expectConsistentSlots } from '#tests/engines/slot-invariants.ts'
import { makePatient, signedInAs, signInProviderCaller } from '#tests/harness/accounts.ts'
import { at, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { errorCodeOf, signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { completeDeskVisits } from './change-desk.ts'

const HOUR = 3_600_000
// The test clock is at 09:00 on Monday 2 March 2026.
const TUESDAY = '2026-03-10'
const TEN = { startsAt: `${TUESDAY}T10:00:00Z` }
const ida = { kind: 'phone' as const, name: 'Ida Rowe', phone: '020 7946 0123' }

async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const desk = await signInProviderCaller(testApp, clinician)
  const add = (input: Partial<Parameters<typeof desk.booking.addDesk>[0]> = {}) =>
    desk.booking.addDesk({ ...ida, slot: TEN, ...input })
  return {
    testApp,
    clinician,
    desk: desk.booking,
    add,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

describeEngines('a desk visit', (makeDatabase) => {
  test('takes its time at once, is in the week by its label, and stores no personal data in plain text', async () => {
    await using to = await open(await makeDatabase())
    const { testApp, clinician, desk } = to
    const booked = await to.add({ note: 'Fell on the stairs' })
    expect(booked).toMatchObject({
      sequence: 0,
      state: 'confirmed',
      startsAt: '2026-03-10T10:00:00.000Z',
      endsAt: '2026-03-10T10:30:00.000Z',
    })
    expect(await clinician.free(TUESDAY, 1)).not.toContain(`${TUESDAY}T10:00`)
    const { visits } = await desk.week({ from: TUESDAY, days: 1 })
    expect(visits).toMatchObject([
      {
        id: booked.id,
        desk: 'phone',
        typeOfVisit: null,
        patientName: 'Ida Rowe',
        phone: '020 7946 0123',
        hasPurpose: true,
      },
    ])
    const patient = await makePatient(testApp)
    const hold = patient.caller.booking.hold({ providerId: clinician.id, ...TEN })
    expect(await errorCodeOf(hold)).toBe('slot_taken')
    const rows = await testApp.database.db.selectFrom('desk_visits').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/Ida|Rowe|7946|stairs/)
    await testApp.drainOutbox()
    expect(testApp.mails).toEqual([])
  })

  test('may be in a block, outside the hours or within the notice, but not on another claim', async () => {
    await using to = await open(await makeDatabase())
    const { clinician, add, testApp } = to
    const { version } = await clinician.mine()
    const lunch = { date: TUESDAY, from: at('12:00'), to: at('13:00') }
    await clinician.caller.availability.addBlock({ version, ...lunch })
    await add({ slot: { date: TUESDAY, time: '12:30' } })
    await add({ slot: { date: TUESDAY, time: '19:10' }, minutes: 15 })
    await add({ slot: { startsAt: '2026-03-02T09:05:00Z' }, kind: 'walk_in', phone: undefined })
    const patient = await makePatient(testApp)
    await bookVisit(patient.ctx, { providerId: clinician.id, ...TEN })
    for (const time of ['09:45', '10:00', '10:29', '12:30', '19:20']) {
      const refused = await errorCodeOf(add({ slot: { date: TUESDAY, time } }))
      expect([time, refused]).toEqual([time, 'desk_time_taken'])
    }
    await add({ slot: { date: TUESDAY, time: '10:30' } })
  })

  test('keeps the buffer of visits booked online, and frees it afterwards', async () => {
    await using to = await open(await makeDatabase())
    const { clinician, desk } = to
    await clinician.save(DEFAULT_HOURS, { bufferMinutes: 15 })
    const before = await clinician.free(TUESDAY, 1)
    const booked = await to.add({ slot: { date: TUESDAY, time: '12:05' }, minutes: 50 })
    // 11:15 would end within the buffer, and 13:00 would begin within it.
    expect(before.filter((time) => time.endsWith('T11:15'))).toHaveLength(1)
    expect(await clinician.free(TUESDAY, 1)).not.toContain(`${TUESDAY}T13:00`)
    await desk.cancelDesk({ id: booked.id, sequence: 0 })
    expect(await clinician.free(TUESDAY, 1)).toEqual(before)
  })

  test('is moved together with its claim; cancelling frees the time', async () => {
    await using to = await open(await makeDatabase())
    const { clinician, desk, add } = to
    const before = await clinician.free(TUESDAY, 1)
    const { id } = await add()
    const other = await add({ slot: { date: TUESDAY, time: '11:00' } })
    const move = (time: string, sequence = 0) =>
      desk.moveDesk({ id, sequence, slot: { date: TUESDAY, time } })
    expect(await errorCodeOf(move('10:45'))).toBe('desk_time_taken')
    expect(await move('10:10')).toMatchObject({ sequence: 1, startsAt: '2026-03-10T10:10:00.000Z' })
    expect(await errorCodeOf(move('14:00'))).toBe('changed_meanwhile')
    await move('14:00', 1)
    const left = before.filter((time) => !/T(11|14):00$/.test(time))
    expect(await clinician.free(TUESDAY, 1)).toEqual(left)
    expect(await desk.desk({ id })).toMatchObject({ movedFrom: '2026-03-10T10:10:00.000Z' })
    await desk.cancelDesk({ id, sequence: 2 })
    await desk.cancelDesk({ id: other.id, sequence: 0 })
    expect(await clinician.free(TUESDAY, 1)).toEqual(before)
    expect(await errorCodeOf(move('15:00', 3))).toBe('visit_cancelled')
    expect(await errorCodeOf(desk.cancelDesk({ id, sequence: 3 }))).toBe('visit_cancelled')
    expect(await errorCodeOf(desk.editDesk({ id, name: 'Else' }))).toBe('visit_cancelled')
    expect(await errorCodeOf(desk.markDesk({ id, mark: 'arrived' }))).toBe('outcome_not_booked')
  })

  test('can be corrected, and reading it is audited', async () => {
    await using to = await open(await makeDatabase())
    const { desk, add } = to
    const { id } = await add({ note: 'Fell on the stairs', email: 'ida@mail.example' })
    await desk.editDesk({ id, name: 'Ida Rowe-Hall', phone: null })
    expect(await desk.desk({ id })).toMatchObject({
      kind: 'phone',
      patient: { name: 'Ida Rowe-Hall', phone: null, email: 'ida@mail.example' },
      hasNote: true,
      canChange: true,
    })
    expect(await desk.deskNote({ id })).toEqual({ note: 'Fell on the stairs' })
    await desk.editDesk({ id, note: '' })
    expect((await desk.desk({ id })).hasNote).toBe(false)
    const audit = to.testApp.database.db.selectFrom('audit').select('action').orderBy('no')
    const acts = await audit.where('entity', '=', id).execute()
    expect(acts.map(({ action }) => action)).toEqual([
      'desk.added',
      'desk.edited',
      'visit.opened',
      'visit.purpose_read',
      'desk.edited',
      'visit.opened',
    ])
  })

  test('is marked like any visit, without money, and completed by the job', async () => {
    await using to = await open(await makeDatabase())
    const { desk, add, testApp } = to
    const one = await add({ slot: { startsAt: '2026-03-02T09:30:00Z' }, kind: 'walk_in' })
    const two = await add({ slot: { startsAt: '2026-03-02T11:00:00Z' } })
    const arrived = await desk.markDesk({ id: one.id, mark: 'arrived' })
    expect(arrived).toMatchObject({ outcome: null, can: ['none'] })
    const early = desk.markDesk({ id: two.id, mark: 'no_show' })
    expect(await errorCodeOf(early)).toBe('outcome_too_early')
    testApp.advance(HOUR)
    const done = await desk.markDesk({ id: one.id, mark: 'completed' })
    expect(done).toMatchObject({ outcome: 'completed', can: ['arrived', 'no_show', 'none'] })
    expect(await errorCodeOf(desk.cancelDesk({ id: one.id, sequence: 0 }))).toBe('desk_marked')
    testApp.advance(52 * HOUR)
    await completeDeskVisits(testApp.services)
    const { marking } = await desk.desk({ id: two.id })
    expect(marking).toEqual({ outcome: 'completed', arrivedAt: null, can: [] })
    const outbox = await testApp.database.db.selectFrom('outbox').select('topic').execute()
    expect(new Set(outbox.map(({ topic }) => topic))).toEqual(new Set(['provider.changed']))
  })
})

test('it can be added, changed and cancelled from the start of today on, not earlier', async () => {
  await using to = await open()
  const { add, desk, testApp } = to
  for (const [slot, code] of [
    [{ startsAt: '2026-03-01T23:59:00Z' }, 'date_passed'],
    [{ startsAt: '2028-03-30T10:00:00Z' }, 'date_too_far'],
    [{ startsAt: '2026-03-10T10:00:30Z' }, 'date_invalid'],
    [{ date: '2026-03-29', time: '01:30' }, 'slot_impossible'],
  ] as const)
    expect([slot, await errorCodeOf(add({ slot }))]).toEqual([slot, code])
  const { id } = await add({ slot: { startsAt: '2026-03-02T00:00:00Z' }, kind: 'walk_in' })
  await desk.editDesk({ id, name: 'Ida Hall' })
  testApp.advance(15 * HOUR)
  for (const act of [
    desk.editDesk({ id, name: 'Ida' }),
    desk.moveDesk({ id, sequence: 0, slot: TEN }),
    desk.cancelDesk({ id, sequence: 0 }),
  ])
    expect(await errorCodeOf(act)).toBe('desk_over')
  expect((await desk.desk({ id })).canChange).toBe(false)
})

test('those of other providers are not found', async () => {
  await using to = await open()
  const { id } = await to.add()
  const { booking } = await signInProviderCaller(to.testApp, await makeProvider(to.testApp))
  for (const act of [
    booking.desk({ id }),
    booking.deskNote({ id }),
    booking.editDesk({ id, name: 'Else' }),
    booking.moveDesk({ id, sequence: 0, slot: TEN }),
    booking.cancelDesk({ id, sequence: 0 }),
    booking.markDesk({ id, mark: 'arrived' }),
    booking.addDesk({ ...ida, slot: TEN, placeId: to.clinician.placeId }),
  ])
    expect(await errorCodeOf(act)).toBe('not_found')
  expect(await booking.deskList({})).toMatchObject({ total: 0 })
})

test('the place is the main one unless another is given, and its local time counts', async () => {
  await using testApp = await makeTestApp()
  const zone = { name: 'Austin Practice', time_zone: 'America/Chicago' }
  const places = [{}, { ...zone, position: 1 }]
  const provider = await makeProvider(testApp, { slots: [], places })
  const { booking, availability } = await signInProviderCaller(testApp, provider)
  const austin = (await availability.mine({})).places[1]?.id ?? ''
  const slot = { date: TUESDAY, time: '10:00' }
  const here = await booking.addDesk({ ...ida, slot })
  const there = await booking.addDesk({ ...ida, slot, placeId: austin })
  expect([here.startsAt, there.startsAt]).toEqual([
    '2026-03-10T10:00:00.000Z',
    '2026-03-10T15:00:00.000Z',
  ])
  const { visits, hasManyPlaces } = await booking.week({ from: TUESDAY, days: 1 })
  expect(hasManyPlaces).toBe(true)
  expect(visits.map(({ placeName }) => placeName)).toEqual(['Borough Practice', 'Austin Practice'])
})

test('a phone patient needs a number, a walk-in does not', async () => {
  await using to = await open()
  const { kind, name } = ida
  await expect(to.desk.addDesk({ kind, name, slot: TEN })).rejects.toMatchObject({
    cause: { issues: [{ path: 'phone', message: 'Enter the patient’s phone number.' }] },
  })
  await to.desk.addDesk({ kind: 'walk_in', name, slot: TEN })
})

test('added twice by mistake it exists once', async () => {
  await using to = await open()
  const first = await to.add()
  // Without an idempotency key the repeat conflicts with the provider's own first visit.
  expect(await errorCodeOf(to.add())).toBe('desk_time_taken')
  expect((await to.desk.deskList({})).visits.map(({ id }) => id)).toEqual([first.id])
})

test('the list finds it by name, part of a number or reference; the history has no payment', async () => {
  await using to = await open()
  const { desk, add } = to
  const one = await add()
  await add({ slot: { date: TUESDAY, time: '11:00' }, name: 'Sam Hill', phone: '020 7946 0999' })
  const found = async (search: string) =>
    (await desk.deskList({ search })).visits.map(({ name }) => name)
  expect(await found('rowe')).toEqual(['Ida Rowe'])
  expect(await found('7946 0999')).toEqual(['Sam Hill'])
  expect(await found(one.reference.toLowerCase())).toEqual(['Ida Rowe'])
  expect(await found('')).toEqual(['Sam Hill', 'Ida Rowe'])
  expect(await found('nobody')).toEqual([])
})

test('the week plan shows its time as booked, and a block over it asks first', async () => {
  await using to = await open()
  const { clinician, add } = to
  const { id } = await add()
  const { days } = await clinician.caller.availability.week({ from: TUESDAY, days: 1 })
  expect(days[0]?.stretches.map(({ text }) => text)).toContain('10:00 to 10:30: Booked visit')
  const block = async (confirmed: string[]) => {
    const { version } = await clinician.mine()
    const morning = { date: TUESDAY, from: at('9:00'), to: at('12:00') }
    return clinician.caller.availability.addBlock({ version, ...morning, confirmed })
  }
  const refused = await block([])
  expect(refused).toMatchObject({ saved: false, conflicts: [{ id, patient: 'Phone patient' }] })
  expect((await block([id])).saved).toBe(true)
})

test('the calendar feed has it, with a first name where enabled', async () => {
  await using to = await open()
  const { reference, id } = await to.add()
  const site = 'https://apposite.example'
  const wanted = { providerNo: to.clinician.no, site, endAfter: 0, cancelledAfter: 0 }
  const plain = await providerFeed(to.testApp.services, { ...wanted, showsNames: false })
  expect(plain).toContain(`SUMMARY:Phone visit ${reference}\r\n`)
  expect(plain).toContain(`UID:${id}@apposite`)
  expect(plain).not.toContain('Ida')
  const named = await providerFeed(to.testApp.services, { ...wanted, showsNames: true })
  expect(named).toContain(`SUMMARY:Phone visit ${reference}: Ida\r\n`)
  expect(named).not.toContain('Rowe')
})

const NINE = Date.parse('2026-03-10T09:00:00Z')
const iso = (instant: number) => new Date(instant).toISOString()

/** Waits until this many transactions wait for a lock; on SQLite they queue at once. */
async function waitingFor({ db, engine }: Database, count: number): Promise<void> {
  if (engine !== 'postgres') return
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(count)
}

/** A provider with two free times, the first of which a patient has booked, and a crowd of other patients. */
async function openBooked(testApp: TestApp) {
  const slots = [0, 1].map((n) => ({ start: NINE + n * HOUR, minutes: 30 }))
  const providerId = await makeProviderWithSlots(testApp, slots)
  const { provider, caller: desk } = await signInProvider(testApp)
  const [first, ...crowd] = await insertPatients(testApp, 25)
  if (first === undefined) throw new Error('There is no patient.')
  const patient = signedInAs(testApp.services, first)
  const id = await bookVisit(patient, { providerId, startsAt: iso(NINE) })
  return { provider, desk: desk.booking, id, caller: createCaller(patient), crowd }
}

describeEngines('a desk visit concurrent with', (makeDatabase) => {
  test('of fifty concurrent holds and moves one gets the time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, desk, id, caller, crowd } = await openBooked(testApp)
    const startsAt = iso(NINE + HOUR)
    const holds = crowd.map((who) => {
      const { booking: own } = createCaller(signedInAs(testApp.services, who))
      return () => errorCodeOf(own.hold({ providerId: provider.id, startsAt }))
    })
    const puts = Array.from({ length: 25 }, (_, n) => () => {
      // Some overlap the hour only in part.
      const slot = { startsAt: iso(NINE + HOUR - (n % 3) * 600_000) }
      return errorCodeOf(desk.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot }))
    })
    const move = () => errorCodeOf(caller.visits.move({ id, sequence: 0, slot: { startsAt } }))
    const acts = puts.flatMap((put, n) => [put, holds[n] ?? move])
    expect(acts).toHaveLength(50)
    const codes = await Promise.all(acts.map((act) => act()))
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    for (const code of codes) expect([null, 'slot_taken', 'desk_time_taken']).toContain(code)
    await expectConsistentSlots(testApp.database)
  })

  test('a concurrent block: the visit is a conflict or not, and nobody else is offered its time', async () => {
    await using to = await open(await makeDatabase())
    const { testApp, clinician, add } = to
    for (const time of ['09:00', '10:00', '11:00', '14:00']) {
      const { version } = await clinician.mine()
      const block = { version, date: TUESDAY, from: at(time), to: at(time) + 30 }
      const [put, blocked] = await Promise.all([
        errorCodeOf(add({ slot: { date: TUESDAY, time } })),
        clinician.caller.availability.addBlock(block),
      ])
      expect(put).toBeNull()
      // Either the block was saved first, or the visit is reported as its conflict.
      if (!blocked.saved) expect(blocked.conflicts).toHaveLength(1)
      expect(await clinician.free(TUESDAY, 1)).not.toContain(`${TUESDAY}T${time}`)
    }
    const claims = await testApp.database.db.selectFrom('slot_claims').select('desk_no').execute()
    expect(claims).toHaveLength(4)
  })

  test('concurrent moves into each other’s times: none is lost, and none deadlocks', async () => {
    await using to = await open(await makeDatabase())
    const { testApp, desk, add } = to
    const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30']
    const visits = []
    for (const time of times) visits.push(await add({ slot: { date: TUESDAY, time } }))
    const codes = await Promise.all(
      visits.map(({ id }, n) => {
        const slot = { date: TUESDAY, time: times[n + 1] ?? '13:00' }
        return errorCodeOf(desk.moveDesk({ id, sequence: 0, slot }))
      }),
    )
    expect(codes.at(-1)).toBeNull()
    for (const code of codes) expect([null, 'desk_time_taken']).toContain(code)
    await expectConsistentSlots(testApp.database)
  })

  test('its concurrent cancellation: no deadlock, and neither fails', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, desk, id, caller } = await openBooked(testApp)
    const slot = { startsAt: iso(NINE) }
    const { sequence, refund } = await caller.visits.terms({ id })
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = testApp.database.transaction(async (tx) => {
      await lockProviderClaims(tx, provider.no)
      held.resolve()
      await over.promise
    })
    await held.promise
    // Both wait for the provider: the desk first, then the cancellation.
    const put = errorCodeOf(desk.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot }))
    await waitingFor(testApp.database, 1)
    const cancelled = errorCodeOf(caller.visits.cancel({ id, sequence, refund }))
    await waitingFor(testApp.database, 2)
    over.resolve()
    await other
    expect(await cancelled).toBeNull()
    expect([null, 'desk_time_taken']).toContain(await put)
    await expectConsistentSlots(testApp.database)
  })
})

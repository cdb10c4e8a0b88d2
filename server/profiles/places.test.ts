import { expect, test } from 'vitest'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { makePatient, signInProviderCaller } from '#tests/harness/accounts.ts'
import { makeClinician } from '#tests/harness/clinician.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const usa = { region: 'usa', currency: 'USD' } as const
const places = [
  { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
  { name: 'Lake Clinic', postcode: '60601', locality: 'Chicago', time_zone: 'America/Chicago' },
]

/** A provider in New York, the main place, and in Chicago, whose id is given. */
async function makeTwo(testApp: TestApp) {
  const clinician = await makeClinician(testApp, { ...usa, places })
  const desk = await signInProviderCaller(testApp, clinician)
  const lake = (await clinician.mine()).places[1]?.id ?? ''
  return { clinician, desk, lake }
}

describeEngines('a provider at places in two zones', (makeDatabase) => {
  test('making another place the main one applies blocks in its local time at once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { clinician, desk, lake } = await makeTwo(testApp)
    await clinician.save([{ weekday: 2, from: 600, to: 780, placeId: lake }])
    const { version } = await clinician.mine()
    // Eleven in New York is ten in Chicago.
    const block = { date: '2026-03-03', from: 660, to: 720 }
    await desk.availability.addBlock({ version, ...block, note: 'Rounds' })
    expect(await clinician.free('2026-03-03', 1)).not.toContain('2026-03-03T16:00')
    await desk.profiles.makeMainPlace({ placeId: lake })
    const free = await clinician.free('2026-03-03', 1)
    expect(free).toContain('2026-03-03T16:00')
    expect(free).not.toContain('2026-03-03T17:00')
  })

  test('all-day entries of outside calendars are read again in its zone', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { desk, lake } = await makeTwo(testApp)
    outside.setBusy('2026-03-03T15:00/16:00')
    const address = 'https://calendar.example/basic.ics'
    await desk.outsideCalendars.add({ name: 'Family', address })
    await desk.profiles.makeMainPlace({ placeId: lake })
    testApp.advance(60_000)
    await readOutsideCalendars(testApp.services)
    const { known, view } = outside.reads[1] ?? {}
    expect([known?.etag, view?.timeZone]).toEqual([null, 'America/Chicago'])
  })

  test('visits of a type offered only at a removed place can move to another place', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { clinician, desk, lake } = await makeTwo(testApp)
    const hours = { weekday: 2, from: 600, to: 780 }
    await clinician.save([
      { ...hours, placeId: lake },
      { ...hours, weekday: 3 },
    ])
    await desk.profiles.saveVisitType({
      name: 'Skin check',
      minutes: 60,
      amount: 9_000,
      follow_amount: 9_000,
      mode: 'both',
      placeId: lake,
    })
    const [, type] = await testApp.caller().profiles.visitTypes({ providerId: clinician.id })
    const { ctx, caller } = await makePatient(testApp)
    const typeId = type?.id ?? ''
    const startsAt = '2026-03-03T16:00:00Z'
    const id = await bookVisit(ctx, { providerId: clinician.id, typeId, startsAt })
    await desk.profiles.removePlace({ placeId: lake, confirmed: true })
    const asked = { providerId: clinician.id, typeId, days: 7 }
    const { days } = await testApp.caller().availability.freeTimes(asked)
    const [slot] = days[0]?.slots ?? []
    expect(slot?.startsAt).toBe('2026-03-04T15:00:00.000Z')
    const to = { id, slot: { startsAt: slot?.startsAt ?? '' } }
    expect((await caller.visits.moveTerms(to)).to.place).toBe('Canal Clinic')
    expect(await errorCodeOf(desk.visits.moveAgreed({ ...to, sequence: 0 }))).toBeNull()
  })

  test('time off reports visits at a removed place', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { clinician, desk, lake } = await makeTwo(testApp)
    await clinician.save([{ weekday: 2, from: 600, to: 780, placeId: lake }])
    const { ctx } = await makePatient(testApp)
    const startsAt = '2026-03-03T16:00:00Z'
    const id = await bookVisit(ctx, { providerId: clinician.id, startsAt })
    await desk.profiles.removePlace({ placeId: lake, confirmed: true })
    const { version } = await clinician.mine()
    const day = { from: '2026-03-03', to: '2026-03-03' }
    const away = { version, placeId: null, ...day, note: '' }
    const absence = await desk.availability.addAbsence(away)
    expect(absence).toMatchObject({ saved: false, conflicts: [{ id }] })
    const block = { version, date: '2026-03-03', from: 660, to: 720, note: '' }
    expect(await desk.availability.addBlock(block)).toMatchObject({ conflicts: [{ id }] })
    const saved = await desk.availability.addAbsence({ ...away, confirmed: [id] })
    expect(saved.saved).toBe(true)
    expect(await desk.visits.inTimeOff({})).toMatchObject([{ id }])
  })
})

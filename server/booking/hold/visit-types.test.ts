import { expect, test } from 'vitest'
import { expectConsistentRows } from '#tests/engines/slot-invariants.ts'
import { at, makeClinician } from '#tests/harness/hours.ts'
import { errorCodeOf } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeVisitTypeEditor } from '#tests/harness/visit-types.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const DAY = '2026-03-03'
const MORNING = [{ weekday: 2, from: at('9:00'), to: at('12:00') }]
const iso = (time: string) => `${DAY}T${time}:00.000Z`

/**
 * Visits of 20 minutes with 10 between them on a Tuesday morning: 9:00, 9:30, … 11:30; and a check-up of
 * 40 minutes, which takes two of those times.
 */
async function open(testApp: TestApp) {
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
  test('a longer one takes times one after the other, whole, with the buffer after it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, wanted, free } = await open(testApp)
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
    expect([claim?.start_at, claim?.end_at]).toEqual([
      Date.parse(iso('10:00')),
      Date.parse(iso('10:50')),
    ])
    expect(await free()).toEqual(['09:00', '09:30', '11:00', '11:30'])
    expect(await free(checkUp)).toEqual(['09:00', '11:00'])
    await caller.payments.leave({ holdId: hold.id })
    expect(await free(checkUp)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00'])
  })

  test('two that overlap and are held at once: one has the time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, video, wanted } = await open(testApp)
    const wishes = [
      wanted('10:00', checkUp),
      wanted('10:30'),
      wanted('10:30', video),
      wanted('09:30', checkUp),
      wanted('10:30', checkUp),
    ]
    const patients = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { caller } = await makePatient(testApp)
        return { caller, wish: wishes[n % wishes.length] ?? wanted('10:00') }
      }),
    )
    const told = await Promise.all(
      patients.map(({ caller, wish }) => errorCodeOf(caller.booking.hold(wish))),
    )
    const claims = await testApp.database.db
      .selectFrom('slot_claims')
      .select(['start_at', 'end_at'])
      .orderBy('start_at')
      .execute()
    expect(claims.length).toBe(told.filter((code) => code === null).length)
    expect(claims.length).toBeGreaterThan(0)
    // At most one of them has 10:30, and none overlaps another or its buffer.
    for (const [n, claim] of claims.entries()) {
      const before = claims[n - 1]
      if (before !== undefined) {
        expect(claim.start_at - before.end_at).toBeGreaterThanOrEqual(600_000)
      }
    }
    expect(told.filter((code) => code !== null && code !== 'slot_taken')).toEqual([])
    await expectConsistentRows(testApp.database)
  })

  test('a visit that is moved keeps its type, its length and its price', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { checkUp, desk, wanted, free } = await open(testApp)
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

test('one that is somebody else’s, unknown or archived is refused, and nothing is held', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, desk, wanted } = await open(testApp)
  const stranger = await makeClinician(testApp, { first_name: 'Nikhil' })
  await desk.browser.act('profiles.archiveVisitType', { typeId: checkUp })
  const { caller } = await makePatient(testApp)
  for (const typeId of [checkUp, `vtp_${stranger.id.slice(4)}`, `vtp_${'z'.repeat(26)}`]) {
    expect(await errorCodeOf(caller.booking.hold(wanted('09:00', typeId)))).toBe(
      'visit_type_not_offered',
    )
    expect(await errorCodeOf(caller.booking.checkSlot(wanted('09:00', typeId)))).toBe(
      'visit_type_not_offered',
    )
  }
  expect(await testApp.database.db.selectFrom('bookings').select('no').execute()).toEqual([])
})

test('a type has its own ways, and the one chosen last counts', async () => {
  await using testApp = await makeTestApp()
  const { video, wanted } = await open(testApp)
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

test('another type from the same time on takes the place of what somebody kept', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, wanted, free } = await open(testApp)
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

test('its name is told where the kind is, and not by a provider of only one', async () => {
  await using testApp = await makeTestApp()
  const { checkUp, desk, wanted } = await open(testApp)
  const { ctx, caller } = await makePatient(testApp)
  const named = await bookVisit(ctx, wanted('09:00', checkUp))
  await testApp.drainOutbox()
  const texts = testApp.mails.map(({ text }) => text).join('\n')
  expect(texts).toContain('Check-up')
  const { text } = await caller.booking.calendar({ id: named })
  expect(text).toContain('DESCRIPTION:Check-up\\nReference')
  const { data } = await desk.browser.ask('booking.week', { from: DAY })
  expect(data).toMatchObject({ visits: [{ typeName: 'Check-up' }] })
  for (const type of await desk.own()) {
    if (type.name !== 'Consultation') {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await desk.browser.act('profiles.archiveVisitType', { typeId: type.id })
    }
  }
  const plain = await bookVisit(ctx, wanted('11:00'))
  expect(await caller.booking.visit({ id: plain })).toMatchObject({ typeName: null })
  // The type was renamed and archived since: the visit keeps the name it was booked with.
  expect(await caller.booking.visit({ id: named })).toMatchObject({ typeName: 'Check-up' })
})

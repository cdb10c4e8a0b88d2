import { expect, test } from 'vitest'
import type { MoveInput } from '#contract/visits.ts'
import { erasePatient } from '#server/booking/visits/erase-patient.ts'
import { remind } from '#server/reminders/reminders.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  makePaidVisit,
  signInProvider,
} from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { readAudit } from '#tests/harness/test-app.ts'
import { changesIn, insertVisit, offerNextDays, offerTimes } from '#tests/harness/visits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

type Paid = Awaited<ReturnType<typeof makePaidVisit>>

function slotsIn({ testApp }: Paid) {
  return testApp.database.db
    .selectFrom('slots')
    .select(['start_at', 'free'])
    .orderBy('start_at')
    .execute()
}

function claimsIn({ testApp }: Paid) {
  return testApp.database.db.selectFrom('slot_claims').select(['start_at', 'end_at']).execute()
}

function bookingIn({ testApp, id }: Paid) {
  return testApp.database.db
    .selectFrom('bookings')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

function move({ caller, id }: Paid, to: number, more: Partial<MoveInput> = {}) {
  return caller.visits.move({ id, sequence: 0, slot: { startsAt: iso(to) }, ...more })
}

/** Somebody else holds a time of the same provider. */
async function holdAsStranger({ caller, strangerCaller, id }: Paid, start: number) {
  const { provider } = await caller.booking.visit({ id })
  return strangerCaller.booking.hold({ providerId: provider.id, startsAt: iso(start) })
}

const emailsToPatient = ({ testApp }: Paid, pattern: RegExp) =>
  testApp.mails.filter(({ to, subject }) => to.startsWith('usr_') && pattern.test(subject))

describeEngines('moving by the patient', (makeDatabase) => {
  test('the visit has the new time, the old one is free, and no money moves', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id, caller } = at
    await offerTimes(testApp, [START + DAY])
    const terms = await caller.visits.moveTerms({ id, slot: { startsAt: iso(START + DAY) } })
    expect(terms).toMatchObject({
      sequence: 0,
      from: { startsAt: iso(START) },
      to: { startsAt: iso(START + DAY), place: 'Borough Practice' },
      freeUntil: iso(START),
      isFree: true,
      movesLeft: 3,
    })
    testApp.advance(MINUTE)
    const now = testApp.services.now()
    const { visit, movesLeft } = await move(at, START + DAY)
    expect(movesLeft).toBe(2)
    expect(visit).toMatchObject({
      startsAt: iso(START + DAY),
      endsAt: iso(START + DAY + 30 * MINUTE),
      state: 'confirmed',
      fee: { minor: 6_000, currency: 'GBP' },
      moves: [{ at: iso(now), by: 'patient', from: iso(START), to: iso(START + DAY) }],
    })
    expect(await slotsIn(at)).toEqual([
      { start_at: START, free: 1 },
      { start_at: START + DAY, free: 0 },
    ])
    expect(await claimsIn(at)).toEqual([
      { start_at: START + DAY, end_at: START + DAY + 30 * MINUTE },
    ])
    expect(await bookingIn(at)).toMatchObject({
      wall_at: START + DAY,
      sequence: 1,
      changed_at: now,
      free_until: START,
      first_minor: 6_000,
      arrived_at: null,
    })
    expect(gatewayRefunds(at)).toEqual([])
    // The old time is free for others.
    expect((await at.hold(at.stranger)).state).toBe('held')
    expect(await readAudit(testApp, 'booking.moved')).toMatchObject([{ entity: id }])
  })

  test('both are emailed, and the patient gets the same calendar event with the new time', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    await offerTimes(testApp, [START + DAY])
    testApp.advance(MINUTE)
    await move(at, START + DAY)
    await testApp.drainOutbox()
    const [email, ...more] = emailsToPatient(at, /^Moved:/)
    expect(more).toEqual([])
    expect(email?.subject).toBe('Moved: your visit to Dr Amara Okafor')
    expect(email?.text).toContain('You’ve moved this visit. There’s nothing to pay.')
    expect(email?.text).toContain('New time: Friday 6 March 2026, 09:00 (London time, GMT)')
    expect(email?.text).toContain('Old time: Thursday 5 March 2026, 09:00 (London time, GMT)')
    const file = email?.files?.[0]?.text.replaceAll('\r\n ', '')
    expect(file).toContain('METHOD:REQUEST')
    expect(file).toContain(`UID:${id}@apposite`)
    expect(file).toContain('SEQUENCE:1')
    expect(file).toContain('DTSTAMP:20260302T090100Z')
    expect(file).toContain('DTSTART;TZID=Europe/London:20260306T090000')
    const [notice] = testApp.mails.filter(({ subject }) => /^Moved: [A-Z]/.test(subject))
    expect(notice?.to).toMatch(/@clinic\.example$/)
    expect(notice?.text).toContain('The patient moved this visit.')
    expect(notice?.text).toContain('Old time: Thursday 5 March 2026')
  })

  test('an email about an outdated move is not sent', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START + DAY, START + 2 * DAY])
    await move(at, START + DAY)
    await move(at, START + 2 * DAY, { sequence: 1 })
    await testApp.drainOutbox()
    const emails = emailsToPatient(at, /^Moved:/)
    expect(emails).toHaveLength(1)
    expect(emails[0]?.text).toContain('New time: Saturday 7 March 2026')
  })

  test('at most three times', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, caller, id } = at
    await offerNextDays(testApp, 4)
    for (const n of [1, 2, 3]) {
      const { movesLeft } = await move(at, START + n * DAY, { sequence: n - 1 })
      expect(movesLeft).toBe(3 - n)
    }
    expect(await errorCodeOf(move(at, START + 4 * DAY, { sequence: 3 }))).toBe('moves_used_up')
    expect((await caller.visits.terms({ id })).movesLeft).toBe(0)
    expect((await bookingIn(at)).start_at).toBe(START + 3 * DAY)
  })

  test('a time that cannot be booked cannot be moved to', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START - 2.5 * DAY, START + DAY, START + 2 * DAY])
    await holdAsStranger(at, START + DAY)
    testApp.advance(DAY)
    expect(await errorCodeOf(move(at, START - 2.5 * DAY))).toBe('slot_passed')
    testApp.advance(-DAY)
    expect(await errorCodeOf(move(at, START + DAY))).toBe('slot_taken')
    expect(await errorCodeOf(move(at, START))).toBe('slot_taken')
    expect(await errorCodeOf(move(at, START + 3 * DAY))).toBe('slot_not_offered')
    const { db } = testApp.database
    const now = testApp.services.now()
    await db
      .insertInto('schedules')
      .values({
        provider_no: (await bookingIn(at)).provider_no,
        version: 1,
        notice_minutes: 6 * 24 * 60,
        horizon_days: 60,
        buffer_minutes: 0,
        closed_on_holidays: 0,
        rotation_weeks: 1,
        rotation_from: '2026-03-02',
        generated_to: '2026-05-01',
        extend_at: now + DAY,
        withdraw_at: now + DAY,
        updated_at: now,
      })
      .execute()
    expect(await errorCodeOf(move(at, START + 2 * DAY))).toBe('slot_not_offered')
    await db.deleteFrom('schedules').execute()
    await db.updateTable('providers').set({ verification_status: 'Unverified' }).execute()
    expect(await errorCodeOf(move(at, START + 2 * DAY))).toBe('provider_not_bookable')
    expect(await bookingIn(at)).toMatchObject({ start_at: START, sequence: 0 })
  })

  test('an expired hold is released for a move, as for a booking', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START + DAY])
    await holdAsStranger(at, START + DAY)
    testApp.advance(16 * MINUTE)
    expect((await move(at, START + DAY)).visit.startsAt).toBe(iso(START + DAY))
  })

  test('by half an hour onto a time that overlaps its own', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START + 15 * MINUTE])
    const { db } = testApp.database
    // Not on offer only because of the visit itself.
    await db
      .updateTable('slots')
      .set({ free: 0 })
      .where('start_at', '=', START + 15 * MINUTE)
      .execute()
    expect((await move(at, START + 15 * MINUTE)).visit.startsAt).toBe(iso(START + 15 * MINUTE))
    expect(await claimsIn(at)).toEqual([
      { start_at: START + 15 * MINUTE, end_at: START + 45 * MINUTE },
    ])
    // The old time overlaps the new one, so nobody else can have it.
    expect((await slotsIn(at)).map(({ free }) => free)).toEqual([0, 0])
    expect(await errorCodeOf(holdAsStranger(at, START))).toBe('slot_taken')
  })

  test('an overlap with another visit is refused unless accepted', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, patient } = at
    await offerTimes(testApp, [START + DAY])
    const other = await makeProvider(testApp, { slots: [] })
    await insertVisit(testApp, other, {
      patientNo: patient.session.accountNo,
      startsAt: iso(START + DAY + 15 * MINUTE),
    })
    expect(await errorCodeOf(move(at, START + DAY))).toBe('visits_overlap')
    await move(at, START + DAY, { overlapOk: true })
    expect((await bookingIn(at)).start_at).toBe(START + DAY)
  })

  test('moves only what the page showed, only one’s own visit, and only while it is upcoming', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id, strangerCaller, caller } = at
    await offerTimes(testApp, [START + DAY, START + 5 * DAY])
    expect(await errorCodeOf(move(at, START + DAY, { sequence: 1 }))).toBe('changed_meanwhile')
    const input = { id, sequence: 0, slot: { startsAt: iso(START + DAY) } }
    expect(await errorCodeOf(strangerCaller.visits.move(input))).toBe('not_found')
    const terms = strangerCaller.visits.moveTerms({ id, slot: input.slot })
    expect(await errorCodeOf(terms)).toBe('not_found')
    const { db } = testApp.database
    const marked = { outcome: 'completed' as const, outcome_at: testApp.services.now() }
    await db.updateTable('bookings').set(marked).execute()
    expect(await errorCodeOf(move(at, START + DAY))).toBe('visit_begun')
    await db.updateTable('bookings').set({ outcome: null, outcome_at: null }).execute()
    testApp.advance(START - testApp.services.now())
    expect(await errorCodeOf(move(at, START + 5 * DAY))).toBe('visit_begun')
    testApp.advance(-HOUR)
    const { sequence, refund } = await caller.visits.terms({ id })
    await caller.visits.cancel({ id, sequence, refund })
    expect(await errorCodeOf(move(at, START + 5 * DAY, { sequence: 1 }))).toBe('visit_cancelled')
  })

  test('moving after the deadline does not restore free cancellation', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, caller, id } = at
    await offerTimes(testApp, [START + 10 * DAY])
    testApp.advance(49 * HOUR)
    const slot = { startsAt: iso(START + 10 * DAY) }
    const shown = await caller.visits.moveTerms({ id, slot })
    expect(shown).toMatchObject({ freeUntil: iso(START - DAY), isFree: false })
    await move(at, START + 10 * DAY)
    expect(await caller.visits.terms({ id })).toMatchObject({
      refund: { minor: 3_000 },
      freeUntil: iso(START - DAY),
    })
  })

  test('the arrival mark is cleared, and reminders follow the new start, each once', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START + 5 * DAY])
    const { db } = testApp.database
    // A day before the old start: the reminder is enqueued, but not delivered yet.
    testApp.advance(START - DAY - testApp.services.now())
    await remind(testApp.services)
    await db.updateTable('bookings').set({ arrived_at: testApp.services.now() }).execute()
    await move(at, START + 5 * DAY)
    expect((await bookingIn(at)).arrived_at).toBeNull()
    await testApp.drainOutbox()
    const reminded = () =>
      testApp.mails.filter(({ subject }) => /^Reminder|tomorrow/i.test(subject))
    expect(reminded()).toHaveLength(0)
    testApp.advance(5 * DAY)
    await remind(testApp.services)
    await remind(testApp.services)
    await testApp.drainOutbox()
    expect(reminded()).toHaveLength(1)
  })

  test('a visit just moved to tomorrow has no reminder', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await offerTimes(testApp, [START + 10 * HOUR])
    testApp.advance(START - DAY - HOUR - testApp.services.now())
    await move(at, START + 10 * HOUR)
    testApp.advance(12 * HOUR)
    await remind(testApp.services)
    expect(await testApp.database.db.selectFrom('reminders').selectAll().execute()).toEqual([])
  })
})

/** A paid visit past its free-cancellation deadline, and five more days to choose from. */
async function open(database?: Parameters<typeof makePaidVisit>[0]) {
  const at = await makePaidVisit(database)
  await offerNextDays(at.testApp, 5)
  at.testApp.advance(49 * HOUR)
  return at
}

describeEngines('moving by agreement', (makeDatabase) => {
  test('a provider’s move is emailed with their note, and cancelling is free until the start', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { testApp, id, caller } = at
    const provider = await signInProvider(testApp)
    // The provider must not learn what else the patient has at that time.
    const other = await makeProvider(testApp, { slots: [] })
    const patientNo = at.patient.session.accountNo
    await insertVisit(testApp, other, { patientNo, startsAt: iso(START + 5 * DAY) })
    const note = 'As we said on the phone.'
    const input = { id, sequence: 0, slot: { startsAt: iso(START + 5 * DAY) }, note }
    expect(await provider.caller.visits.moveAgreed(input)).toEqual({
      id,
      sequence: 1,
      startsAt: iso(START + 5 * DAY),
      timeZone: 'Europe/London',
    })
    expect(await changesIn(testApp)).toMatchObject([
      { what: 'moved', by_kind: 'provider', by_id: provider.account.id, note, sequence: 1 },
    ])
    await testApp.drainOutbox()
    const email = testApp.mails.find(({ subject }) => subject.startsWith('Moved: your visit'))
    expect(email?.text).toContain('Dr Amara Okafor has moved this visit, as agreed.')
    expect(email?.text).toContain(`Message: ${note}`)
    expect(email?.text).toContain('If you cancel: Free at any time before the visit.')
    const notice = testApp.mails.find(({ subject }) => /^Moved: [A-Z]/.test(subject))
    expect(notice?.text).toContain('You moved this visit. We’ve told the patient.')
    // Free until a minute before the start; and it does not count as one of the patient's own moves.
    testApp.advance(START + 5 * DAY - 60_000 - testApp.services.now())
    expect(await caller.visits.terms({ id })).toMatchObject({ isFree: true, movesLeft: 3 })
  })

  test('a later move by the patient leaves cancelling free until the start', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { testApp, id, caller } = at
    const provider = await signInProvider(testApp)
    const slot = (n: number) => ({ startsAt: iso(START + n * DAY) })
    await provider.caller.visits.moveAgreed({ id, sequence: 0, slot: slot(1) })
    await caller.visits.move({ id, sequence: 1, slot: slot(2) })
    expect((await caller.visits.terms({ id })).freeUntil).toBe(iso(START + 2 * DAY))
  })

  test.each([
    ['patient', START - DAY, 'We’ve moved this visit for you, as you asked.'],
    ['provider', START + 3 * DAY, 'We’ve moved this visit for Dr Amara Okafor.'],
  ] as const)(
    'staff move for the %s, on their terms and with an internal reason',
    async (whom, freeUntil, said) => {
      await using at = await open({ database: await makeDatabase() })
      const { testApp, id, caller } = at
      const admin = await signInDemoStaff(testApp, 'admin')
      const slot = { startsAt: iso(START + 3 * DAY) }
      const input = { id, for: whom, sequence: 0, slot, reason: 'The car broke down.' }
      expect((await admin.act('visits.moveFor', input)).data).toMatchObject({ sequence: 1 })
      expect((await admin.act('visits.moveFor', input)).code).toBe('changed_meanwhile')
      expect((await caller.visits.terms({ id })).freeUntil).toBe(iso(freeUntil))
      expect(await changesIn(testApp)).toMatchObject([
        { by_kind: 'staff', reason: `for_${whom}`, note: 'The car broke down.' },
      ])
      await testApp.drainOutbox()
      const email = testApp.mails.find(({ subject }) => subject.startsWith('Moved: your visit'))
      expect(email?.text).toContain(said)
      expect(JSON.stringify(testApp.mails)).not.toContain('car broke down')
    },
  )
})

test('the provider’s note is deleted when its patient is erased', async () => {
  await using at = await open()
  const { testApp, id } = at
  const provider = await signInProvider(testApp)
  const { db } = testApp.database
  const slot = { startsAt: iso(START + DAY) }
  const input = { id, sequence: 0, slot, note: 'As agreed.' }
  await provider.caller.visits.moveAgreed(input)
  const patientId = at.patient.session.userId
  await db
    .updateTable('accounts')
    .set({ erased_at: testApp.services.now() })
    .where('id', '=', patientId)
    .execute()
  await erasePatient(testApp.services, patientId)
  expect(await changesIn(testApp)).toMatchObject([{ note: null }])
})

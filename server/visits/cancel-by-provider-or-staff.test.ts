import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { erasePatient } from '#server/booking/visits/erase-patient.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makePatient, signInOwner } from '#tests/harness/accounts.ts'
import { DEFAULT_HOURS } from '#tests/harness/clinician.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  makePaidVisit,
  signInProvider,
} from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, changesIn, insertVisit, offerTimes } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })
const reason = 'closed' as const

describeEngines('cancelling by the provider', (makeDatabase) => {
  test('the full amount is refunded however late, and the patient is told why and what is free next', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const { caller, account } = await signInProvider(testApp)
    testApp.advance(71 * HOUR)
    const now = testApp.services.now()
    const starts = [48, 72, 24, 96].map((hours) => now + hours * HOUR)
    await offerTimes(testApp, starts)
    expect(await caller.visits.providerTerms({ id })).toMatchObject({
      sequence: 0,
      refund: gbp(6_000),
      kept: gbp(0),
    })
    const note = 'Sorry: the water is off.'
    const visits = [{ id, sequence: 0, refund: gbp(6_000) }]
    expect(await caller.visits.cancelMany({ visits, reason, note })).toEqual({
      fates: [{ id, refusal: null, refund: gbp(6_000) }],
    })
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(testApp)).toMatchObject([
      { what: 'cancelled', by_kind: 'provider', by_id: account.id, reason, note, kept_minor: 0 },
    ])
    await testApp.drainOutbox()
    const email = testApp.mails.find(({ subject }) => subject.startsWith('Cancelled: your visit'))
    expect(email?.text).toContain('Dr Amara Okafor has had to cancel this visit. We’re sorry.')
    expect(email?.text).toContain('refunding £60.00 in full to your card')
    expect(email?.text).toContain('Reason: The practice is closed that day')
    expect(email?.text).toContain(`Message: ${note}`)
    // The next three, soonest first, without the cancelled time and without a fourth.
    const links = [...(email?.text.matchAll(/appointment\/\S+date=([\d-]+)&time=(\S+)/g) ?? [])]
    expect(links.map(([, date, time]) => `${date} ${time}`)).toEqual([
      '2026-03-06 08%3A00',
      '2026-03-07 08%3A00',
      '2026-03-08 08%3A00',
    ])
    expect(email?.files?.[0]?.text).toContain('METHOD:CANCEL')
    const notice = testApp.mails.find(({ subject }) => /^Cancelled: [A-Z]/.test(subject))
    expect(notice?.text).toContain('You cancelled this visit.')
  })

  test('each of many has its own result, and a repeat changes nothing', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id, patient } = at
    const { caller, provider } = await signInProvider(testApp)
    const { db } = testApp.database
    const places = await db.selectFrom('places').select('no').execute()
    const own = { ...provider, placeNos: places.map(({ no }) => no) }
    const patientNo = patient.session.accountNo
    const later = { patientNo, startsAt: '2026-03-06T10:00:00Z' }
    const second = await insertVisit(testApp, own, later)
    const over = await insertVisit(testApp, own, { patientNo, startsAt: '2026-02-06T10:00:00Z' })
    const foreign = await insertVisit(testApp, await makeProvider(testApp), later)
    const shown = (visit: string, minor = 6_000) => ({ id: visit, sequence: 0, refund: gbp(minor) })
    const visits = [shown(id), shown(over.id), shown(foreign.id), shown(second.id, 5_000)]
    const refusals = async () =>
      (await caller.visits.cancelMany({ visits, reason })).fates.map(({ refusal }) => refusal)
    expect(await refusals()).toEqual([null, 'visit_begun', 'not_found', 'terms_changed'])
    expect(await refusals()).toEqual([
      'visit_cancelled',
      'visit_begun',
      'not_found',
      'terms_changed',
    ])
    expect(await changesIn(testApp)).toHaveLength(1)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
  })

  test('patient and provider concurrently: one cancels, with one refund', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const { caller } = await signInProvider(testApp)
    const shown = { id, sequence: 0, refund: gbp(6_000) }
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        if (n % 2 === 0) return errorCodeOf(at.caller.visits.cancel(shown))
        const { fates } = await caller.visits.cancelMany({ visits: [shown], reason })
        return fates[0]?.refusal
      }),
    )
    expect(results.filter((code) => code === null)).toHaveLength(1)
    expect(results.filter((code) => code === 'visit_cancelled')).toHaveLength(19)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(testApp)).toHaveLength(1)
  })
})

test('a note to a patient is deleted with their account; the record stays', async () => {
  await using at = await makePaidVisit()
  const { testApp, id, patient } = at
  const { caller } = await signInProvider(testApp)
  const visits = [{ id, sequence: 0, refund: gbp(6_000) }]
  await caller.visits.cancelMany({ visits, reason, note: 'See you soon, Maya.' })
  await testApp.database.db
    .updateTable('accounts')
    .set({ erased_at: testApp.services.now() })
    .where('no', '=', patient.session.accountNo)
    .execute()
  await erasePatient(testApp.services, patient.session.userId)
  expect(await changesIn(testApp)).toMatchObject([{ note: null, reason, refund_minor: 6_000 }])
})

test('each visit is named once, at most sixty, with a reason from the list', async () => {
  await using at = await makePaidVisit()
  const { caller } = await signInProvider(at.testApp)
  const one = { id: at.id, sequence: 0, refund: gbp(6_000) }
  const bad = { code: 'BAD_REQUEST' }
  await expect(caller.visits.cancelMany({ visits: [one, one], reason })).rejects.toMatchObject(bad)
  await expect(caller.visits.cancelMany({ visits: [], reason })).rejects.toMatchObject(bad)
  const note = 'x'.repeat(301)
  await expect(caller.visits.cancelMany({ visits: [one], reason, note })).rejects.toMatchObject(bad)
})

const staffReason = 'They called: the car broke down.'

/** A visit past its free-cancellation deadline, and an admin. */
async function open(database?: Database) {
  const at = await makePaidVisit(database === undefined ? {} : { database })
  at.testApp.advance(49 * HOUR)
  const admin = await signInDemoStaff(at.testApp, 'admin')
  return { ...at, admin }
}

describeEngines('cancelling by staff', (makeDatabase) => {
  test.each([
    ['patient', 3_000, 'We’ve cancelled this visit for you, as you asked.'],
    ['provider', 6_000, 'We’ve cancelled this visit for Dr Amara Okafor. We’re sorry.'],
  ] as const)('for the %s the refund is what they would be shown', async (whom, minor, said) => {
    await using at = await open(await makeDatabase())
    const { admin, id, testApp } = at
    const terms = await admin.ask('visits.staffTerms', { id, for: whom })
    expect(terms.data).toMatchObject({ sequence: 0, refund: gbp(minor) })
    const input = { id, for: whom, sequence: 0, refund: gbp(minor), reason: staffReason }
    const wrong = await admin.act('visits.cancelFor', { ...input, refund: gbp(1) })
    expect(wrong.code).toBe('terms_changed')
    expect((await admin.act('visits.cancelFor', input)).data).toEqual({
      id,
      refusal: null,
      refund: gbp(minor),
    })
    expect((await admin.act('visits.cancelFor', input)).code).toBe('visit_cancelled')
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([minor])
    expect(await changesIn(testApp)).toMatchObject([
      { by_kind: 'staff', reason: `for_${whom}`, note: staffReason, refund_minor: minor },
    ])
    await testApp.drainOutbox()
    const email = testApp.mails.find(({ subject }) => subject.startsWith('Cancelled: your visit'))
    expect(email?.text).toContain(said)
    expect(JSON.stringify(testApp.mails)).not.toContain('car broke down')
  })
})

test('a refund above the admins’ limit needs a superuser here as well', async () => {
  await using at = await open()
  const { admin, id, testApp } = at
  const { db } = testApp.database
  // As much as an expensive visit costs: the limit applies to the amount paid.
  await db.updateTable('payments').set({ taken_minor: 50_000, taken_currency: 'GBP' }).execute()
  const input = { id, for: 'provider', sequence: 0, refund: gbp(50_000), reason: staffReason }
  expect((await admin.act('visits.cancelFor', input)).code).toBe('refund_over_limit')
  expect(await changesIn(testApp)).toEqual([])
})

/** A Tuesday of the usual week. */
const DAY = '2026-03-03'

/** A provider with a usual week, and visits at these times of it. */
async function setUp(testApp: TestApp, times: readonly string[]) {
  const provider = await makeProvider(testApp, { slots: [], places: [{}, { name: 'Branch' }] })
  const { caller: doctor } = await signInOwner(testApp, provider)
  const { version, settings, places } = await doctor.availability.mine({})
  const placeId = places[0]?.id ?? ''
  const hours = DEFAULT_HOURS.map((range) => ({ placeId, week: 1, ...range }))
  await doctor.availability.saveHours({ version, settings, hours })
  const ids: string[] = []
  for (const startsAt of times) {
    // One patient books one visit at a time.
    const { ctx } = await makePatient(testApp)
    ids.push(await bookVisit(ctx, { providerId: provider.id, startsAt }))
  }
  const away = async (from = DAY, to = from) => {
    const { version: now } = await doctor.availability.mine({})
    const asked = { version: now, placeId: null, from, to }
    const first = await doctor.availability.addAbsence(asked)
    if (first.saved) return first
    const confirmed = first.conflicts.map(({ id }) => id)
    return doctor.availability.addAbsence({ ...asked, confirmed })
  }
  const free = async () => {
    const { days } = await testApp
      .caller()
      .availability.freeTimes({ providerId: provider.id, from: DAY, days: 1 })
    return days.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt))
  }
  return { provider, doctor, ids, away, free }
}

describeEngines('visits in time off', (makeDatabase) => {
  test('visits in it are listed with their refunds, and a cancelled time there is not offered again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const times = [`${DAY}T09:00:00Z`, `${DAY}T14:00:00Z`, '2026-03-04T09:00:00Z']
    const { doctor, ids, away, free } = await setUp(testApp, times)
    expect(await doctor.visits.inTimeOff({})).toEqual([])
    expect(await free()).not.toEqual([])
    const { conflicts, mine } = await away()
    expect(conflicts.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const absenceId = mine.absences[0]?.id
    const listed = await doctor.visits.inTimeOff({})
    expect(listed).toMatchObject([
      { id: ids[0], absenceId, patient: 'Maya Ellis', sequence: 0, paid: gbp(6_000) },
      { id: ids[1], absenceId, startsAt: `${DAY}T14:00:00.000Z`, refund: gbp(6_000) },
    ])
    const [first] = listed
    if (first === undefined) throw new Error('There is no booked visit.')
    const { fates } = await doctor.visits.cancelMany({
      visits: [{ id: first.id, sequence: first.sequence, refund: gbp(6_000) }],
      reason: 'unwell',
    })
    expect(fates).toEqual([{ id: ids[0], refusal: null, refund: gbp(6_000) }])
    await testApp.drainOutbox()
    expect(testApp.mails.map(({ text }) => text).join()).not.toContain('open to others again.')
    // The visit that was kept is still listed, and the freed time is not offered.
    expect((await doctor.visits.inTimeOff({})).map(({ id }) => id)).toEqual([ids[1]])
    expect(await free()).toEqual([])
  })

  test('desk visits are cancelled in the same call: emailed where there is an address, without a refund', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, ids, away, free } = await setUp(testApp, [`${DAY}T09:00:00Z`])
    const put = (time: string, more: object = {}) =>
      doctor.booking.addDesk({
        kind: 'phone',
        name: 'Ida Rowe',
        phone: '020 7946 0123',
        slot: { date: DAY, time },
        ...more,
      })
    const withEmail = await put('11:00', { email: 'ida@mail.example' })
    const withoutEmail = await put('14:00')
    await put('11:00', { slot: { date: '2026-03-04', time: '11:00' } })
    await away()
    const listed = await doctor.visits.inTimeOff({})
    expect(listed).toMatchObject([
      { id: ids[0], desk: null, refund: gbp(6_000) },
      {
        id: withEmail.id,
        patient: 'Ida Rowe',
        desk: { kind: 'phone', phone: '020 7946 0123', hasEmail: true },
        paid: null,
        refund: null,
      },
      { id: withoutEmail.id, desk: { hasEmail: false } },
    ])
    await testApp.drainOutbox()
    const before = testApp.mails.length
    const input = {
      visits: [{ id: ids[0] ?? '', sequence: 0, refund: gbp(6_000) }],
      desk: [withEmail, withoutEmail].map(({ id, sequence }) => ({ id, sequence })),
      reason: 'unwell' as const,
      note: 'We are sorry, Ida.',
    }
    // Two concurrent requests: each visit is cancelled once.
    const answers = await Promise.all([
      doctor.visits.cancelMany(input),
      doctor.visits.cancelMany(input),
    ])
    const done = answers.flatMap(({ fates }) => fates.filter(({ refusal }) => refusal === null))
    expect(Object.fromEntries(done.map(({ id, refund }) => [id, refund]))).toEqual({
      [ids[0] ?? '']: gbp(6_000),
      [withEmail.id]: null,
      [withoutEmail.id]: null,
    })
    expect(done).toHaveLength(3)
    const refusals = answers.flatMap(({ fates }) => fates.flatMap(({ refusal }) => refusal ?? []))
    expect(new Set(refusals)).toEqual(new Set(['visit_cancelled']))
    expect(await doctor.visits.inTimeOff({})).toEqual([])
    expect(await free()).toEqual([])
    const { db } = testApp.database
    expect(await db.selectFrom('refunds').select('key').execute()).toHaveLength(1)
    const outbox = await db.selectFrom('outbox').select('payload').execute()
    expect(JSON.stringify(outbox)).not.toContain('sorry')
    const audit = await readAudit(testApp, 'desk.cancelled')
    expect(audit).toHaveLength(2)
    expect(new Set(audit.map(({ entity }) => entity))).toEqual(
      new Set([withEmail.id, withoutEmail.id]),
    )
    expect(JSON.stringify(audit)).toContain('unwell')
    await testApp.drainOutbox()
    const mails = testApp.mails.slice(before).filter(({ to }) => to === 'ida@mail.example')
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Cancelled: your visit to Dr Amara Okafor',
    ])
    expect(mails[0]?.text).toContain('The clinician is unwell')
    expect(mails[0]?.text).not.toContain('We are sorry, Ida.')
  })

  test('sixty visits and then the rest: each has its result, and its patient one refund', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, provider, away } = await setUp(testApp, [])
    const { db } = testApp.database
    // Many short visits, inserted directly because booking them one by one would take too long.
    const { account } = await makePatient(testApp)
    for (let n = 0; n < 70; n += 1) {
      const startsAt = new Date(Date.parse(`${DAY}T08:00:00Z`) + n * 10 * 60_000).toISOString()
      // One after the other, as they are listed.
      await insertVisit(testApp, provider, { patientNo: account.no, startsAt, minutes: 10 })
    }
    await away()
    const listed = await doctor.visits.inTimeOff({})
    expect(listed).toHaveLength(70)
    const shown = listed.map(({ id, sequence }) => ({ id, sequence, refund: gbp(6_000) }))
    const cancel = (visits: typeof shown) => doctor.visits.cancelMany({ visits, reason: 'unwell' })
    await expect(cancel(shown)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const [one, other] = await Promise.all([cancel(shown.slice(0, 60)), cancel(shown.slice(0, 60))])
    await cancel(shown.slice(60))
    const done = [...one.fates, ...other.fates].filter(({ refusal }) => refusal === null)
    expect(new Set(done.map(({ id }) => id)).size).toBe(60)
    expect(done).toHaveLength(60)
    expect(await doctor.visits.inTimeOff({})).toEqual([])
    const refunds = await db.selectFrom('refunds').select(['amount_minor', 'key']).execute()
    expect(refunds).toHaveLength(70)
    expect(new Set(refunds.map(({ amount_minor: minor }) => minor))).toEqual(new Set([6_000]))
  })
})

test('time off from one place affects only visits there; one that has begun is not listed', async () => {
  await using testApp = await makeTestApp()
  const { doctor, provider } = await setUp(testApp, [])
  const { db } = testApp.database
  const { account } = await makePatient(testApp)
  const [here, branch] = provider.placeNos
  const visit = { patientNo: account.no, startsAt: `${DAY}T09:00:00Z` }
  const first = await insertVisit(testApp, provider, visit)
  const later = { ...visit, startsAt: `${DAY}T14:00:00Z` }
  const second = await insertVisit(testApp, { ...provider, placeNos: [branch ?? 0] }, later)
  const listed = async () => (await doctor.visits.inTimeOff({})).map(({ id }) => id)
  await db
    .insertInto('absences')
    .values({
      id: testApp.services.newId('abs'),
      provider_no: provider.no,
      place_no: here ?? 0,
      from_date: DAY,
      to_date: DAY,
      note: '',
    })
    .execute()
  expect(await listed()).toEqual([first.id])
  await db.updateTable('absences').set({ place_no: null }).execute()
  expect(await listed()).toEqual([first.id, second.id])
  testApp.advance(Date.parse(visit.startsAt) - testApp.services.now())
  expect(await listed()).toEqual([second.id])
})

test('at most sixty in all: more, or none, are refused', async () => {
  await using testApp = await makeTestApp()
  const { doctor } = await setUp(testApp, [])
  const no = (n: number) => String(n).padStart(26, '0')
  const ofDesk = Array.from({ length: 31 }, (_, n) => ({ id: `dsk_${no(n)}`, sequence: 0 }))
  const visits = Array.from({ length: 30 }, (_, n) => ({
    id: `apt_${no(n)}`,
    sequence: 0,
    refund: gbp(0),
  }))
  const bad = { code: 'BAD_REQUEST' }
  const cancel = (input: Pick<Parameters<typeof doctor.visits.cancelMany>[0], 'visits' | 'desk'>) =>
    doctor.visits.cancelMany({ ...input, reason: 'unwell' })
  await expect(cancel({ visits, desk: ofDesk })).rejects.toMatchObject(bad)
  await expect(cancel({ visits: [], desk: [] })).rejects.toMatchObject(bad)
  const { fates } = await cancel({ visits, desk: ofDesk.slice(1) })
  expect(fates).toHaveLength(60)
  expect(new Set(fates.map(({ refusal }) => refusal))).toEqual(new Set(['not_found']))
})

import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import type { CancelInput } from '#contract/visits.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import {
  type ParsedEvent,
  parseCalendar,
  parseStrictCalendar,
} from '#tests/harness/calendar-parsers.ts'
import { errorCodeOf, gatewayRefunds, makePaidVisit } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, changesIn } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })
const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`

type Paid = Awaited<ReturnType<typeof makePaidVisit>>

async function cancelAsShown({ caller, id }: Paid) {
  const { sequence, refund } = await caller.visits.terms({ id })
  return caller.visits.cancel({ id, sequence, refund })
}

const emailsToPatient = ({ testApp }: Paid, pattern: RegExp) =>
  testApp.mails.filter(({ to, subject }) => to.startsWith('usr_') && pattern.test(subject))

describeEngines('cancelling by the patient', (makeDatabase) => {
  test.each(['card', 'wallet'] as const)(
    'cancelled in time, a %s is refunded in full, once; the time is free, and both get an email with a file',
    async (by) => {
      await using at = await makePaidVisit({ database: await makeDatabase(), by })
      const { testApp, id, caller } = at
      const { db } = testApp.database
      expect(await caller.visits.terms({ id })).toMatchObject({
        sequence: 0,
        paid: gbp(6_000),
        left: gbp(6_000),
        refund: gbp(6_000),
        kept: gbp(0),
        freeUntil: '2026-03-04T09:00:00.000Z',
        isFree: true,
      })
      const done = await cancelAsShown(at)
      expect(done).toMatchObject({ refund: gbp(6_000), visit: { id, state: 'cancelled' } })
      expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
      expect(await db.selectFrom('slots').select('free').execute()).toEqual([{ free: 1 }])
      await testApp.drainOutbox()
      await runRefunds(testApp.services)
      await runRefunds(testApp.services)
      expect(gatewayRefunds(at)).toEqual([6_000])
      expect((await at.hold(at.stranger)).state).toBe('held')
      expect(await changesIn(at.testApp)).toMatchObject([
        {
          what: 'cancelled',
          by_kind: 'patient',
          by_id: at.patient.session.userId,
          sequence: 1,
          to_at: null,
          refund_minor: 6_000,
          kept_minor: 0,
        },
      ])
      const cancelled = testApp.mails.filter(({ subject }) => /cancelled/i.test(subject))
      expect(cancelled).toHaveLength(2)
      for (const { files } of cancelled) expect(files?.[0]?.text).toContain('METHOD:CANCEL')
      const way = by === 'card' ? 'your card' : 'your PayPal wallet'
      const [email] = emailsToPatient(at, /^Cancelled:/)
      expect(email?.text).toContain(`We’re refunding £60.00 in full to ${way}`)
      await testApp.drainOutbox()
      expect(emailsToPatient(at, /^We’ve refunded £60.00$/)).toHaveLength(1)
    },
  )

  test('cancelled late, the agreed share is kept, and both are told how much', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, caller, id } = at
    testApp.advance(49 * HOUR)
    // The provider's current policy applies to new bookings only.
    const { db } = testApp.database
    await db.updateTable('providers').set({ late_cancel_percent: 90 }).execute()
    expect(await caller.visits.terms({ id })).toMatchObject({
      refund: gbp(3_000),
      kept: gbp(3_000),
      isFree: false,
    })
    expect(await cancelAsShown(at)).toMatchObject({ refund: gbp(3_000) })
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([3_000])
    await testApp.drainOutbox()
    expect(emailsToPatient(at, /^Cancelled:/)[0]?.text).toContain(
      'refunding £30.00 of £60.00 to your',
    )
    const [notice] = testApp.mails.filter(({ subject }) => /^Cancelled: [A-Z]/.test(subject))
    expect(notice?.text).toContain('Late cancellation fee: £30.00')
    expect(notice?.text).toContain('The patient cancelled this visit.')
  })

  test('earlier refunds by staff count: at most what is left is refunded', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, payment, caller, id } = at
    const admin = await signInDemoStaff(testApp, 'admin')
    const reason = 'Half an hour late.'
    const refund = { paymentId: payment.id, minor: 4_500, reason, key: uuid(1) }
    expect((await admin.act('payments.refund', refund)).code).toBeNull()
    testApp.advance(49 * HOUR)
    // 15.00 is left, and 30.00 is the agreed fee.
    expect(await caller.visits.terms({ id })).toMatchObject({
      paid: gbp(6_000),
      left: gbp(1_500),
      refund: gbp(0),
      kept: gbp(1_500),
    })
    expect(await cancelAsShown(at)).toMatchObject({ refund: gbp(0) })
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([4_500])
    await testApp.drainOutbox()
    expect(emailsToPatient(at, /^Cancelled:/)[0]?.text).toContain('It was too late for a refund')
  })

  test('does exactly what the page showed, or nothing', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { caller, id, testApp } = at
    const cancel = (input: Omit<CancelInput, 'id'>) =>
      errorCodeOf(caller.visits.cancel({ id, ...input }))
    expect(await cancel({ sequence: 1, refund: gbp(6_000) })).toBe('changed_meanwhile')
    expect(await cancel({ sequence: 0, refund: gbp(5_999) })).toBe('terms_changed')
    const dollars = { minor: 6_000, currency: 'USD' as const }
    expect(await cancel({ sequence: 0, refund: dollars })).toBe('terms_changed')
    const early = await caller.visits.terms({ id })
    testApp.advance(49 * HOUR)
    expect(await cancel({ sequence: 0, refund: early.refund })).toBe('terms_changed')
    expect(await changesIn(at.testApp)).toEqual([])
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([])
  })

  test('others’ visits are not found; past and cancelled ones do not change', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { caller, strangerCaller, id, testApp } = at
    const shown = { id, sequence: 0, refund: gbp(6_000) }
    expect(await errorCodeOf(strangerCaller.visits.terms({ id }))).toBe('not_found')
    expect(await errorCodeOf(strangerCaller.visits.cancel(shown))).toBe('not_found')
    await cancelAsShown(at)
    expect(await errorCodeOf(caller.visits.terms({ id }))).toBe('visit_cancelled')
    expect(await errorCodeOf(caller.visits.cancel(shown))).toBe('visit_cancelled')
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
  })

  test('a visit cannot be cancelled once it has begun', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { caller, id, testApp } = at
    const start = (await caller.booking.visit({ id })).startsAt
    testApp.advance(Date.parse(start) - testApp.services.now() - 1)
    expect((await caller.visits.terms({ id })).refund).toEqual(gbp(3_000))
    testApp.advance(1)
    expect(await errorCodeOf(caller.visits.terms({ id }))).toBe('visit_begun')
    const late = { id, sequence: 0, refund: gbp(3_000) }
    expect(await errorCodeOf(caller.visits.cancel(late))).toBe('visit_begun')
  })

  test('fifty concurrent calls by patient and staff: one result, one refund, one record', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { caller, id, testApp, payment } = at
    const admin = await signInDemoStaff(testApp, 'admin')
    const { sequence, refund } = await caller.visits.terms({ id })
    const byStaff = (n: number) => ({
      paymentId: payment.id,
      minor: 6_000,
      reason: 'The practice was closed that day.',
      key: uuid(n),
      releaseTime: true,
    })
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        if (n % 2 === 0) return errorCodeOf(caller.visits.cancel({ id, sequence, refund }))
        return (await admin.act('payments.refund', byStaff(n))).code
      }),
    )
    expect(results.filter((code) => code === null)).toHaveLength(1)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(at.testApp)).toHaveLength(1)
    const { db } = testApp.database
    expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
    const rows = await db.selectFrom('bookings').select(['state', 'sequence']).execute()
    expect(rows).toEqual([{ state: 'cancelled', sequence: 1 }])
    await testApp.drainOutbox()
    expect(emailsToPatient(at, /^Cancelled:/)).toHaveLength(1)
  })

  test('a refund the gateway refuses is left to staff; the visit stays cancelled', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = at
    await cancelAsShown(at)
    await at.sandbox.fail({ path: '/v1/refunds', method: 'POST', fault: 'refused', times: 1 })
    await runRefunds(testApp.services)
    const { db } = testApp.database
    const refunds = await db.selectFrom('refunds').select(['state', 'key']).execute()
    expect(refunds).toEqual([{ state: 'failed', key: 'cancelled' }])
    const admin = await signInDemoStaff(testApp, 'admin')
    expect((await admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 1 })
    await testApp.drainOutbox()
    expect(testApp.mails.map(({ subject }) => subject)).toContain(
      'A refund was rejected permanently',
    )
    expect((await at.caller.booking.visit({ id: at.id })).state).toBe('cancelled')
  })

  test('a recorded change can be neither altered nor deleted, only its note blanked', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    await cancelAsShown(at)
    const { db } = at.testApp.database
    const changes = db.updateTable('visit_changes')
    await expect(changes.set({ refund_minor: 1 }).execute()).rejects.toThrow(/are kept/)
    await expect(changes.set({ note: 'Another story.' }).execute()).rejects.toThrow(/are kept/)
    await expect(changes.set({ by_id: null }).execute()).rejects.toThrow(/are kept/)
    await expect(sql`delete from visit_changes`.execute(db)).rejects.toThrow(/are kept/)
    await changes.set({ note: null }).execute()
    expect(await changesIn(at.testApp)).toMatchObject([{ refund_minor: 6_000, note: null }])
  })
})

test('the booking’s and the cancellation’s files have the same event and participants', async () => {
  await using at = await makePaidVisit()
  const { testApp, id } = at
  await cancelAsShown(at)
  await testApp.drainOutbox()
  const files = testApp.mails
    .filter(({ to }) => to.startsWith('usr_'))
    .flatMap(({ files: all = [] }) => all.map(({ text }) => text.replaceAll('\r\n ', '')))
  const [request, cancel] = files
  expect(request).toContain('METHOD:REQUEST')
  expect(request).toContain('SEQUENCE:0')
  expect(cancel).toContain('METHOD:CANCEL')
  expect(cancel).toContain('SEQUENCE:1')
  expect(cancel).toContain('STATUS:CANCELLED')
  const email = `${at.patient.session.userId}@mail.example`
  for (const file of files) {
    expect(file).toContain(`UID:${id}@apposite`)
    expect(file).toContain('ORGANIZER:mailto:no-reply@apposite.example')
    expect(file).toContain(`ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${email}`)
  }
  // The downloadable file invites nobody.
  const { text } = await at.caller.booking.calendar({ id })
  expect(text).toContain('METHOD:PUBLISH')
  expect(text).not.toContain('ATTENDEE')
})

test.each(['card', 'wallet'] as const)(
  'a %s refund whose response was lost is not taken for a manual one',
  async (by) => {
    await using at = await makePaidVisit({ by })
    const { testApp, payment, sandbox } = at
    const { db } = testApp.database
    testApp.advance(49 * HOUR)
    const admin = await signInDemoStaff(testApp, 'admin')
    await cancelAsShown(at)
    // The request reached the gateway under our key, but its response was lost.
    const lost = { method: 'POST', fault: 'drop_after', times: 9 } as const
    await sandbox.fail({ path: '/v1/refunds', ...lost }, { path: '*/refund', ...lost })
    await runRefunds(testApp.services)
    await sandbox.fail()
    const { gw_payment: money } = await db
      .selectFrom('payments')
      .select('gw_payment')
      .executeTakeFirstOrThrow()
    await sandbox.refundByHand(money ?? '', 3_000)
    // Gateways promise no order: list the refund by hand first.
    const gateway = testApp.services.gateways[payment.gateway]
    const list = gateway.listReturned.bind(gateway)
    vi.spyOn(gateway, 'listReturned').mockImplementation(async (names) => {
      const all = (await list(names)) ?? []
      return all.toSorted((one, other) => Number(one.key !== null) - Number(other.key !== null))
    })
    // Staff refund the fee as well, before the lost refund is found.
    const refund = { paymentId: payment.id, minor: 3_000, reason: 'They were ill.', key: uuid(1) }
    expect((await admin.act('payments.refund', refund)).code).toBeNull()
    for (let round = 0; round < 3; round += 1) {
      testApp.advance(HOUR)
      await runRefunds(testApp.services)
    }
    expect(gatewayRefunds(at)).toEqual([3_000, 3_000])
    const books = await db.selectFrom('refunds').select(['amount_minor', 'state']).execute()
    expect(books).toEqual([
      { amount_minor: 3_000, state: 'done' },
      { amount_minor: 3_000, state: 'done' },
    ])
  },
)

/** What a third-party parser finds in a file; the strict reader must find the same. */
function parsed(text: string): ParsedEvent {
  const [event, ...more] = parseCalendar(text)
  if (event === undefined || more.length > 0) throw new Error('There is not exactly one event.')
  const [strict] = parseStrictCalendar(text).events
  const { method: _method, timeZone: _zone, organizer: _from, attendee: _to, ...both } = event
  expect(strict).toMatchObject(both)
  return event
}

type Made = Parameters<typeof makeProvider>[1]

/** Books a visit and cancels it: returns the downloadable file and those of the two emails. */
async function filesOf(testApp: TestApp, startsAt: string, made: Made = {}) {
  const provider = await makeProvider(testApp, { slots: [Date.parse(startsAt)], ...made })
  const { account, ctx, caller } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt })
  await testApp.drainOutbox()
  const { text: fetched } = await caller.booking.calendar({ id })
  const { sequence, refund } = await caller.visits.terms({ id })
  await caller.visits.cancel({ id, sequence, refund })
  await testApp.drainOutbox()
  const mailed = testApp.mails
    .filter(({ to }) => to === account.email)
    .flatMap(({ files = [] }) => files.map(({ text }) => text))
  const [request = '', cancel = ''] = mailed
  return { id, account, fetched, request, cancel }
}

test('a calendar treats the cancellation as an update of the same event', async () => {
  await using testApp = await makeTestApp()
  const files = await filesOf(testApp, '2026-07-14T13:30:00Z')
  const { id, account } = files
  const request = parsed(files.request)
  expect(request).toEqual({
    uid: `${id}@apposite`,
    method: 'REQUEST',
    sequence: 0,
    status: 'CONFIRMED',
    start: '2026-07-14T13:30:00Z',
    end: '2026-07-14T14:00:00Z',
    timeZone: 'Europe/London',
    summary: 'Visit to Dr Amara Okafor',
    location: 'Borough Practice, 12 Harper Road, London, SE1 6ET',
    description: `Reference: ${referenceOf(id)}\nhttp://localhost:3000/userProfile`,
    organizer: 'mailto:no-reply@apposite.example',
    attendee: `mailto:${account.email}`,
  })
  const cancelled = { method: 'CANCEL', sequence: 1, status: 'CANCELLED' }
  expect(parsed(files.cancel)).toEqual({ ...request, ...cancelled })
  const published = { method: 'PUBLISH', organizer: null, attendee: null }
  expect(parsed(files.fetched)).toEqual({ ...request, ...published })
})

test.each([
  // Around clock changes. The hour that occurs twice is left out: RFC 5545 means its first occurrence, which
  // the strict reader follows and this parser does not.
  ['Europe/London', '2026-03-29T00:30:00Z'],
  ['Europe/London', '2026-03-29T01:30:00Z'],
  ['Europe/London', '2026-03-30T08:00:00Z'],
  ['Europe/London', '2026-10-24T22:30:00Z'],
  ['Europe/London', '2026-10-25T02:30:00Z'],
  ['Europe/London', '2026-10-26T09:00:00Z'],
  ['America/New_York', '2026-03-08T06:30:00Z'],
  ['America/New_York', '2026-03-08T07:30:00Z'],
  ['America/New_York', '2026-11-01T03:30:00Z'],
  ['America/New_York', '2026-11-01T07:30:00Z'],
  ['America/Los_Angeles', '2026-03-08T18:00:00Z'],
  ['America/Phoenix', '2026-07-14T20:30:00Z'],
  ['America/Anchorage', '2026-11-01T18:00:00Z'],
  ['Pacific/Honolulu', '2026-12-24T20:00:00Z'],
] as const)(
  'in %s a visit at %s is at the right instant, in the practice’s zone',
  async (timeZone, startsAt) => {
    await using testApp = await makeTestApp()
    const isUk = timeZone === 'Europe/London'
    const files = await filesOf(testApp, startsAt, {
      region: isUk ? 'uk' : 'usa',
      place: { time_zone: timeZone },
    })
    for (const text of [files.request, files.cancel, files.fetched]) {
      expect(parsed(text)).toMatchObject({ start: startsAt, timeZone })
    }
  },
)

test.each([
  'Praxis Dr. Müller; Gemeinschaftspraxis, Haus “Süd” \\ Eingang B',
  'Łódź Żółć 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心',
  '👩🏽‍⚕️ 👨‍👩‍👧‍👦 🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥 Clínica',
  'مركز الصحة مركز الصحة مركز الصحة مركز الصحة مركز الصحة مركز الصحة',
  `${'A'.repeat(63)}é${'B'.repeat(72)}ø${'C'.repeat(71)}日`,
  'Line one\nBEGIN:VEVENT\nUID:other\r\nMETHOD:PUBLISH',
])('no name breaks out of its line or is cut within a character: %s', async (name) => {
  await using testApp = await makeTestApp()
  const files = await filesOf(testApp, '2026-07-14T13:30:00Z', { place: { name } })
  const said = name.replaceAll('\r\n', '\n')
  for (const text of [files.request, files.cancel, files.fetched]) {
    expect(parsed(text).location).toBe(`${said}, 12 Harper Road, London, SE1 6ET`)
  }
})

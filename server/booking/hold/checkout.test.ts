import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import {
  bookVisit,
  insertPayment,
  settle,
  startOpenPayment,
  verifyCode,
} from '#tests/harness/visits.ts'
import { listOverdue, releaseBooking } from './holds.ts'
import { preparePayment, releaseUnbookable } from './prepare-payment.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NINE = '2026-03-03T09:00:00.000Z'
const SLOTS = [9, 10, 33, 34, 35].map(
  (hours) => Date.parse('2026-03-03T00:00:00Z') + hours * 60 * MINUTE,
)
const CONCERN = 'A cough that will not go away'

async function holdFirstSlot(testApp: TestApp, columns: Parameters<typeof makeProvider>[1] = {}) {
  const provider = await makeProvider(testApp, { slots: SLOTS, ...columns })
  const patient = await makePatient(testApp)
  const hold = await patient.caller.booking.hold({ providerId: provider.id, startsAt: NINE })
  return { ...patient, provider, hold, holdId: hold.id }
}

const paymentInput = (holdId: string) => ({
  holdId,
  typeOfVisit: 'first_visit' as const,
  purpose: CONCERN,
  gateway: 'stripe' as const,
  shown: { minor: 6_000, currency: 'GBP' as const },
})

async function audited(testApp: TestApp): Promise<string[]> {
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'actor_kind', 'details'])
    .where('type', '=', 'booking')
    .orderBy('no')
    .execute()
  return rows.map((row) => `${row.actor_kind} ${row.action} ${row.details}`)
}

test('a hold can be renewed once, by fifteen minutes, while it is active', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId } = await holdFirstSlot(testApp)
  testApp.advance(14 * MINUTE)
  expect(await caller.booking.renew({ holdId })).toMatchObject({
    holdUntil: '2026-03-02T09:30:00.000Z',
    canRenew: false,
  })
  await expect(caller.booking.renew({ holdId })).rejects.toMatchObject({
    message: 'You can extend a hold only once.',
  })
  const second = await makePatient(testApp)
  const other = await second.caller.booking.hold({
    providerId: (await makeProvider(testApp, { slots: SLOTS })).id,
    startsAt: NINE,
  })
  testApp.advance(15 * MINUTE)
  await expect(second.caller.booking.renew({ holdId: other.id })).rejects.toMatchObject({
    message: 'Your hold has ended. Choose a time again.',
  })
})

test('of twenty concurrent renewals one succeeds', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId } = await holdFirstSlot(testApp)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => caller.booking.renew({ holdId })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { holdUntil } = await caller.booking.current({ holdId })
  expect(holdUntil).toBe('2026-03-02T09:30:00.000Z')
})

test('what was entered at the checkout is there after a reload', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId } = await holdFirstSlot(testApp)
  await caller.booking.describe({ holdId, typeOfVisit: 'follow_up', paymentMethod: 'paypal' })
  await caller.booking.describe({ holdId, purposeForVisit: `  ${CONCERN}\n` })
  expect(await caller.booking.current({ holdId })).toMatchObject({
    typeOfVisit: 'follow_up',
    paymentMethod: 'paypal',
    purposeForVisit: CONCERN,
  })
  const row = await testApp.database.db
    .selectFrom('bookings')
    .select('follow_up_basis')
    .executeTakeFirstOrThrow()
  expect(row.follow_up_basis).toBe('self_declared')
})

test('a purpose without a description is refused in the documented words, and not saved', async () => {
  await using testApp = await makeTestApp()
  const { caller, holdId } = await holdFirstSlot(testApp)
  for (const [purposeForVisit, message] of [
    ['my tooth', 'Please describe more about your medical concern'],
    ['123', 'Add a valid concern'],
    ['x'.repeat(2_001), 'Shorten this to 2,000 characters; it has 2,001.'],
  ] as const) {
    const input = { holdId, typeOfVisit: 'follow_up' as const, purposeForVisit }
    await expect(caller.booking.describe(input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: [{ path: 'purposeForVisit', message }] },
    })
  }
  expect((await caller.booking.current({ holdId })).typeOfVisit).toBe('first_visit')
})

test('a provider who requires proof grants the follow-up fee only after an earlier visit', async () => {
  await using testApp = await makeTestApp()
  const policy = { follow_up_policy: 'require_history' } as const
  const { caller, ctx, holdId, provider } = await holdFirstSlot(testApp, policy)
  const refusal = 'The follow-up fee is for people who have been here before. Choose a first visit.'
  expect((await caller.booking.current({ holdId })).followUpRefusal).toBe(refusal)
  await expect(caller.booking.describe({ holdId, typeOfVisit: 'follow_up' })).rejects.toMatchObject(
    { message: refusal },
  )
  await verifyCode(ctx, holdId)
  const cheaper = {
    ...paymentInput(holdId),
    typeOfVisit: 'follow_up' as const,
    shown: { minor: 4_000, currency: 'GBP' as const },
  }
  await expect(ctx.transaction((tx) => preparePayment(ctx, tx, cheaper))).rejects.toMatchObject({
    code: 'follow_up_refused',
  })
  await settle(ctx, await startOpenPayment(ctx, holdId))
  testApp.advance(DAY + 60 * MINUTE)
  const again = await caller.booking.hold({
    providerId: provider.id,
    startsAt: '2026-03-04T11:00:00.000Z',
  })
  expect(again.followUpRefusal).toBeNull()
  await caller.booking.describe({ holdId: again.id, typeOfVisit: 'follow_up' })
  const row = await testApp.database.db
    .selectFrom('bookings')
    .select('follow_up_basis')
    .where('id', '=', again.id)
    .executeTakeFirstOrThrow()
  expect(row.follow_up_basis).toBe('history')
})

test('payment requires a code; one code is for one booking, also when pressed twice', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, holdId, provider } = await holdFirstSlot(testApp)
  await expect(startOpenPayment(ctx, holdId)).rejects.toMatchObject({ code: 'code_required' })
  // A code for another booking is not accepted.
  await verifyCode(ctx, `apt_${'0'.repeat(26)}`)
  await expect(startOpenPayment(ctx, holdId)).rejects.toMatchObject({ code: 'code_required' })
  await verifyCode(ctx, holdId)
  expect((await caller.booking.current({ holdId })).isCodeVerified).toBe(true)
  const payment = await startOpenPayment(ctx, holdId)
  await testApp.database.db
    .updateTable('payments')
    .set({ state: 'abandoned' })
    .where('no', '=', payment.paymentNo)
    .execute()
  await startOpenPayment(ctx, holdId)
  expect((await caller.booking.current({ holdId })).isCodeVerified).toBe(true)
  const other = await caller.booking.hold({
    providerId: provider.id,
    startsAt: '2026-03-03T10:00:00.000Z',
  })
  expect(other.isCodeVerified).toBe(false)
  await expect(startOpenPayment(ctx, other.id)).rejects.toMatchObject({ code: 'code_required' })
})

test('a code expires thirty minutes after it was confirmed, and legacy codes name no booking', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, '')
  expect((await caller.booking.current({ holdId })).isCodeVerified).toBe(true)
  await caller.booking.renew({ holdId })
  testApp.advance(29 * MINUTE)
  await ctx.transaction((tx) => preparePayment(ctx, tx, paymentInput(holdId)))
  const late = await holdFirstSlot(testApp)
  await verifyCode(late.ctx, late.holdId)
  await testApp.database.db
    .updateTable('codes')
    .set((eb) => ({ verified_at: eb('verified_at', '-', 31 * MINUTE) }))
    .execute()
  await expect(startOpenPayment(late.ctx, late.holdId)).rejects.toMatchObject({
    code: 'code_required',
  })
})

test.each([
  [{ minor: 1, currency: 'GBP' as const }],
  [{ minor: 4_000, currency: 'GBP' as const }],
  [{ minor: 6_000, currency: 'USD' as const }],
])('a page that shows %j is refused because the price differs', async (shown) => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  await expect(startOpenPayment(ctx, holdId, shown)).rejects.toMatchObject({
    code: 'price_changed',
  })
})

test('the price is fixed when the time is held', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, hold, holdId } = await holdFirstSlot(testApp)
  await testApp.database.db.updateTable('visit_types').set({ first_minor: 99_000 }).execute()
  expect(await caller.booking.current({ holdId })).toMatchObject({ fees: hold.fees })
  await verifyCode(ctx, holdId)
  await startOpenPayment(ctx, holdId, hold.fees.first_visit)
})

test('a provider who takes no bookings any more is not paid, and the time is released', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  await releaseUnbookable(ctx, holdId)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .execute()
  await expect(startOpenPayment(ctx, holdId)).rejects.toMatchObject({
    code: 'provider_not_bookable',
  })
  await expect(releaseUnbookable(ctx, holdId)).rejects.toMatchObject({
    code: 'provider_not_bookable',
  })
  expect((await caller.booking.current({ holdId })).state).toBe('released')
  expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
})

test('somebody else’s hold is not found', async () => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  await settle(ctx, await startOpenPayment(ctx, holdId))
  const stranger = await makePatient(testApp)
  const calls = stranger.caller.booking
  for (const id of [holdId, `apt_${'z'.repeat(26)}`]) {
    for (const refused of [
      calls.current({ holdId: id }),
      calls.renew({ holdId: id }),
      calls.describe({ holdId: id, purposeForVisit: CONCERN }),
      calls.visit({ id }),
      calls.calendar({ id }),
    ]) {
      await expect(refused).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'We couldn’t find that.',
      })
    }
    const press = stranger.ctx.transaction((tx) =>
      preparePayment(stranger.ctx, tx, paymentInput(id)),
    )
    await expect(press).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('during a payment a hold cannot become cheaper, but other details can change', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  const payment = await startOpenPayment(ctx, holdId)
  const busy = { code: 'CONFLICT', cause: { code: 'payment_busy' } }
  await expect(caller.booking.describe({ holdId, typeOfVisit: 'follow_up' })).rejects.toMatchObject(
    busy,
  )
  await caller.booking.describe({ holdId, purposeForVisit: 'Still that cough of mine' })
  expect(await settle(ctx, payment)).toBe(true)
})

test('the same payment may confirm repeatedly; another one, or a late one, does not', async () => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  const payment = await startOpenPayment(ctx, holdId)
  const results = await Promise.all(Array.from({ length: 20 }, () => settle(ctx, payment)))
  expect(new Set(results)).toEqual(new Set([true]))
  expect(await settle(ctx, { ...payment, paymentNo: payment.paymentNo + 1 })).toBe(false)
  const jobs = await testApp.database.db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'booking.confirmed')
    .execute()
  expect(jobs).toHaveLength(1)
  const late = await holdFirstSlot(testApp)
  const bookingNo = payment.bookingNo + 1
  expect(await late.ctx.transaction((tx) => releaseBooking(late.ctx, tx, { bookingNo }))).toBe(true)
  expect(await settle(late.ctx, { bookingNo, paymentNo: 77 })).toBe(false)
})

test('a hold renewed after the sweep found it expired stays', async () => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  const found = await testApp.database.db
    .selectFrom('bookings')
    .select(['no', 'hold_until'])
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow()
  const releaseAt = (overAt: number) =>
    ctx.transaction((tx) => releaseBooking(ctx, tx, { bookingNo: found.no, overAt }))
  expect(await releaseAt(found.hold_until - 1)).toBe(false)
  expect(await releaseAt(found.hold_until)).toBe(true)
})

test('the sweep finds expired holds, and frees only those nobody can pay for any more', async () => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  const { db } = testApp.database
  await verifyCode(ctx, holdId)
  const { paymentNo } = await startOpenPayment(ctx, holdId)
  const over = (gateway: 'stripe' | 'paypal' | null) =>
    listOverdue(db, { now: ctx.now(), after: null, limit: 10, gateway })
  expect(await over('stripe')).toEqual([])
  testApp.advance(15 * MINUTE)
  expect([await over('paypal'), await over(null)]).toEqual([[], []])
  const [overdue] = await over('stripe')
  expect(overdue?.id).toBe(holdId)
  const release = () =>
    ctx.transaction((tx) => releaseBooking(ctx, tx, { bookingNo: overdue?.no ?? 0 }))
  expect(await release()).toBe(false)
  await db.updateTable('payments').set({ state: 'expired' }).where('no', '=', paymentNo).execute()
  expect(await over(null)).toEqual([overdue])
  expect(await release()).toBe(true)
  expect(await release()).toBe(false)
  expect(await over(null)).toEqual([])
})

test('every event of a booking is audited, never its purpose', async () => {
  await using testApp = await makeTestApp()
  const { caller, ctx, holdId, provider } = await holdFirstSlot(testApp)
  await caller.booking.describe({ holdId, purposeForVisit: CONCERN })
  await caller.booking.renew({ holdId })
  await verifyCode(ctx, holdId)
  await settle(ctx, await startOpenPayment(ctx, holdId))
  const next = await caller.booking.hold({
    providerId: provider.id,
    startsAt: '2026-03-03T10:00:00.000Z',
  })
  await caller.payments.leave({ holdId: next.id })
  await caller.payments.leave({ holdId: next.id })
  expect(await audited(testApp)).toEqual([
    'patient booking.held {}',
    'patient booking.described {"fields":"purpose"}',
    'patient booking.renewed {}',
    'patient booking.payment_begun {"gateway":"stripe","minor":6000,"currency":"GBP"}',
    'patient booking.confirmed {}',
    'patient booking.held {}',
    'patient booking.released {"reason":"left"}',
  ])
})

test('a booking cannot have two active payments', async () => {
  await using testApp = await makeTestApp()
  const { ctx, holdId } = await holdFirstSlot(testApp)
  await verifyCode(ctx, holdId)
  await startOpenPayment(ctx, holdId)
  await expect(startOpenPayment(ctx, holdId)).rejects.toThrow(/payments\.booking_no/)
  const second = await holdFirstSlot(testApp)
  const visitId = await bookVisit(second.ctx, {
    providerId: second.provider.id,
    startsAt: NINE,
  })
  expect(visitId).toBe(second.holdId)
  await expect(
    second.ctx.transaction(async (tx) => {
      const terms = await preparePayment(second.ctx, tx, paymentInput(visitId))
      return insertPayment(second.ctx, tx, terms)
    }),
  ).rejects.toMatchObject({ code: 'hold_paid' })
})

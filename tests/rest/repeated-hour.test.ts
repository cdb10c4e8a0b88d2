import { expect, test } from 'vitest'
import { makeAccount, makePatient } from '#tests/harness/accounts.ts'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { programOf } from '#tests/harness/servers/rest.ts'

const FIRST = '2026-10-25T00:30:00Z'
const SECOND = '2026-10-25T01:30:00Z'
const WALL = { bookedDate: '25/10/2026', timeSlot: '01:30' }

describeEngines('a time that occurs twice when clocks go back', (makeDatabase) => {
  /** A patient, and a provider with both times. */
  async function open() {
    const fixture = await makePaymentFixture({ database: await makeDatabase() })
    const { testApp } = fixture
    const { id: providerId } = await makeProvider(testApp, {
      slots: [FIRST, SECOND].map((at) => Date.parse(at)),
    })
    const account = await makeAccount(testApp)
    const { email } = account
    const program = await programOf(testApp, account)
    const code = `/user/user-otp-verification/${program.userId}/`
    return {
      fixture,
      program,
      providerId,
      check: (query: string) => program.send(`GET /user/check-slot/${providerId}/?${query}`),
      checkout: async (time: object, gateway = 'stripe-checkout') => {
        await program.send(`POST ${code}`)
        await program.send(`GET ${code}?otp=${codeIn(await lastMailTo(testApp, email))}`)
        return program.send(`POST /user/${gateway}/${program.userId}/`, {
          body: { providerId, ...time, purpose_for_visit: 'A cough that will not go away' },
        })
      },
      starts: async () => {
        const { db } = testApp.database
        const rows = await db
          .selectFrom('bookings')
          .select('start_at')
          .where('state', 'in', ['held', 'confirmed'])
          .execute()
        return rows.map(({ start_at: at }) => at)
      },
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    }
  }

  test('date and time alone mean the first, and starts_at books the second', async () => {
    await using one = await open()
    expect((await one.checkout(WALL)).status).toBe(200)
    expect(await one.starts()).toEqual([Date.parse(FIRST)])
    await using other = await open()
    expect((await other.checkout({ starts_at: SECOND })).status).toBe(200)
    expect(await other.starts()).toEqual([Date.parse(SECOND)])
  })

  test('whether the second is free can be checked alone', async () => {
    await using at = await open()
    const { fixture, check, providerId } = at
    const { caller } = await makePatient(fixture.testApp)
    await caller.booking.hold({ providerId, startsAt: FIRST })
    expect((await check('date=25/10/2026&time=01:30')).body['available']).toBe(false)
    expect((await check(`starts_at=${SECOND}`)).body['available']).toBe(true)
    await caller.booking.hold({ providerId, startsAt: SECOND })
    expect((await check(`starts_at=${SECOND}`)).body['available']).toBe(false)
  })

  test('a wallet payment for the second is verified by its date and time, and emailed with its zone', async () => {
    await using at = await open()
    const { fixture, program, providerId } = at
    const begun = await at.checkout({ starts_at: SECOND }, 'paypal-order')
    const order = String(begun.body['orderID'])
    fixture.sandbox.approve(order)
    const answer = await program.send('POST /user/verify-payment/?providerRegion=uk', {
      body: {
        orderID: order,
        bookingDetails: { date: '25/10/2026', time: '01:30' },
        doctorDetails: { _id: providerId },
        user_id: program.userId,
        paymentMethod: 'paypal',
        purposeForVisit: 'A cough that will not go away',
        formattedEndTime: '02:00',
        selectedAmount: '60.00',
        isOldPatient: false,
      },
    })
    expect(answer.body).toEqual({ status: true, success: true })
    await fixture.testApp.drainOutbox()
    const mail = fixture.testApp.mails.find(({ text }) => /01:30/.test(text))
    expect(mail?.text).toContain('Sunday 25 October 2026, 01:30 (London time, GMT)')
  })

  test.each([
    {},
    { bookedDate: '25/10/2026' },
    { ...WALL, starts_at: SECOND },
    { starts_at: 'tonight' },
  ])('%j names no single time and is refused', async (time) => {
    await using at = await open()
    const refused = await at.checkout(time)
    expect([refused.status, refused.body['code']]).toEqual([400, 'date_invalid'])
    expect(await at.starts()).toEqual([])
  })
})

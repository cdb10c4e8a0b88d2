import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { programOf } from '#tests/harness/servers/rest.ts'
import { addRestPatient, checkout, type RestPatient, verifyCode } from './rest-patient.ts'

/** Creates a wallet order and approves it in the wallet; returns its id. */
async function approveOrder(patient: RestPatient): Promise<string> {
  await verifyCode(patient)
  const begun = await checkout(patient, {}, 'paypal-order')
  expect([begun.status, begun.body['status']]).toEqual([200, true])
  const order = String(begun.body['orderID'])
  patient.fixture.sandbox.approve(order)
  return order
}

/** The payload the documentation gives for the wallet's page. */
function payload({ program, providerId }: RestPatient, orderID: string) {
  return {
    orderID,
    bookingDetails: {
      date: '05/03/2026',
      time: '09:00',
      consultationTime: 30,
      distance: '0.7',
      amount: '60.00',
      follow_amount: '40.00',
    },
    doctorDetails: { _id: providerId, name: 'Dr Amara Okafor', speciality: 'GP' },
    user_id: program.userId,
    paymentMethod: 'paypal',
    purposeForVisit: 'A cough that will not go away',
    formattedEndTime: '09:30',
    hospitalLocation: 'Borough, London',
    selectedAmount: '60.00',
    isOldPatient: false,
  }
}

function verify({ program }: RestPatient, body: object, query = '?providerRegion=uk') {
  return program.send(`POST /user/verify-payment/${query}`, { body })
}

function statusOf({ program }: RestPatient, order: string) {
  return program.send(`GET /user/check-payment-status/${order}/`)
}

test('POST /user/verify-payment/ answers success, and the status COMPLETED with the visit', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const order = await approveOrder(patient)
  expect((await statusOf(patient, order)).body['status']).toBe('PENDING')
  const first = await verify(patient, payload(patient, order))
  expect([first.status, first.body]).toEqual([200, { status: true, success: true }])
  const again = await verify(patient, payload(patient, order))
  expect(again.body).toEqual(first.body)
  const visit: unknown = expect.stringMatching(/^apt_/)
  expect((await statusOf(patient, order)).body).toEqual({
    status: 'COMPLETED',
    reason: null,
    appointment_id: visit,
  })
  const bookings = await fixture.testApp.database.db
    .selectFrom('bookings')
    .select('state')
    .execute()
  expect(bookings).toEqual([{ state: 'confirmed' }])
})

test.each([
  [{ selectedAmount: 0.01 }],
  [{ selectedAmount: -5 }],
  [{ selectedAmount: '1e9' }],
  [{ selectedAmount: 'NaN' }],
  [{ selectedAmount: 1e21 }],
  [{ doctorDetails: { _id: `prv_${'1'.repeat(26)}` } }],
  [{ bookingDetails: { date: '06/03/2026', time: '09:00' } }],
  [{ bookingDetails: { date: '05/03/2026', time: '9:15 AM' } }],
  [{ formattedEndTime: '09:20' }],
  [{ isOldPatient: true }],
  [{ purposeForVisit: 'Something else altogether' }],
])('26: %j is not what was ordered, and nothing is taken', async (change) => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const order = await approveOrder(patient)
  const answer = await verify(patient, { ...payload(patient, order), ...change })
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: false, success: false, message: 'Payment verification failed.' },
  ])
  const { db } = fixture.testApp.database
  expect(await db.selectFrom('payments').select('state').execute()).toEqual([{ state: 'open' }])
  const audited = await db
    .selectFrom('audit')
    .select('outcome')
    .where('action', '=', 'payment.price_differs')
    .execute()
  expect(audited).toEqual([{ outcome: 'denied' }])
})

test('27, 37: a foreign order, a foreign person and a foreign region are not found', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const order = await approveOrder(patient)
  const stranger = {
    ...patient,
    program: await programOf(fixture.testApp, await makeAccount(fixture.testApp)),
  }
  expect((await verify(stranger, { orderID: order })).status).toBe(404)
  expect((await statusOf(stranger, order)).status).toBe(404)
  expect((await statusOf(patient, 'NOSUCHORDER')).status).toBe(404)
  const other = { ...payload(patient, order), user_id: stranger.program.userId }
  expect((await verify(patient, other)).status).toBe(404)
  expect((await verify(patient, payload(patient, order), '?providerRegion=usa')).status).toBe(404)
  const { db } = fixture.testApp.database
  expect(await db.selectFrom('payments').select('state').execute()).toEqual([{ state: 'open' }])
})

test('a wallet order takes the place of a card checkout of the same time', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  await verifyCode(patient)
  const card = await checkout(patient)
  const session = String(card.body['clientSecret']).split('_secret_')[0] ?? ''
  const wallet = await checkout(patient, {}, 'paypal-order')
  expect(wallet.status).toBe(200)
  const ended = await patient.program.send(
    `GET /user/stripe-checkout-session-status?session_id=${session}`,
  )
  expect(ended.body['status']).toBe('failed')
})

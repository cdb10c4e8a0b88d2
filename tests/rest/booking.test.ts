import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { type Program, programOf, type RestAnswer } from '#tests/harness/servers/rest.ts'

/** Thursday 5 March 2026, nine in the morning in London: the one time that is offered. */
const SLOT = { bookedDate: '05/03/2026', timeSlot: '09:00' }

type RestPatient = {
  fixture: PaymentFixture
  program: Program
  email: string
  providerId: string
}

/** Adds a patient to a payment fixture, signed in over the documented paths. */
async function addRestPatient(fixture: PaymentFixture): Promise<RestPatient> {
  const account = await makeAccount(fixture.testApp)
  const { id } = await fixture.testApp.database.db
    .selectFrom('providers')
    .select('id')
    .executeTakeFirstOrThrow()
  const program = await programOf(fixture.testApp, account)
  return { fixture, program, email: account.email, providerId: id }
}

/** Begins to pay; `more` overrides fields of the usual body. */
function checkout(
  { program, providerId }: RestPatient,
  more: object = {},
  gateway = 'stripe-checkout',
): Promise<RestAnswer> {
  return program.send(`POST /user/${gateway}/${program.userId}/`, {
    body: {
      providerId,
      providerRegion: 'uk',
      ...SLOT,
      type_of_visit: 'first_visit',
      purpose_for_visit: 'A cough that will not go away',
      doctorDistance: '0.7',
      ...more,
    },
  })
}

/** Requests a code by email, and reads it. */
async function sendCode({ fixture, program, email }: RestPatient): Promise<string> {
  const sent = await program.send(`POST /user/user-otp-verification/${program.userId}/`)
  expect([sent.status, sent.body['status']]).toEqual([200, true])
  // The page masks this value again, which must not change it.
  expect(sent.body['email']).toBe(email.slice(0, 2) + 'x'.repeat(email.length - 2))
  return codeIn(await lastMailTo(fixture.testApp, email))
}

function checkCode({ program }: RestPatient, otp: string): Promise<RestAnswer> {
  return program.send(
    `GET /user/user-otp-verification/${program.userId}/?otp=${encodeURIComponent(otp)}`,
  )
}

/** Requests a code by email, and confirms it. */
async function verifyCode(patient: RestPatient): Promise<void> {
  const answer = await checkCode(patient, await sendCode(patient))
  expect([answer.status, answer.body]).toEqual([200, { status: true }])
}

const secretText: unknown = expect.stringContaining('_secret_')

function checkSlot({ program, providerId }: RestPatient, query: string) {
  return program.send(`GET /user/check-slot/${providerId}/?providerRegion=uk&${query}`)
}

test('GET /user/check-slot/ returns data.available, for dates and times in several formats', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  for (const query of [
    'date=05/03/2026&time=09:00',
    'date=5/3/2026&time=9:00%20AM',
    'date=2026-03-05&time=09:00',
  ]) {
    const answer = await checkSlot(patient, query)
    expect([query, answer.body]).toEqual([
      query,
      { status: true, available: true, data: { available: true } },
    ])
  }
  const other = await checkSlot(patient, 'date=05/03/2026&time=10:00')
  expect(other.body['data']).toEqual({ available: false })
  const elsewhere = await patient.program.send(
    `GET /user/check-slot/${patient.providerId}/?providerRegion=usa&date=05/03/2026&time=09:00`,
  )
  expect(elsewhere.status).toBe(404)
})

test('22, 23: invalid dates and skipped local times', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  for (const date of ['31/02/2027', '2027-13-01', 'tomorrow']) {
    const answer = await checkSlot(patient, `date=${date}&time=09:00`)
    expect([date, answer.status, answer.body['error']]).toEqual([date, 400, 'Enter a real date.'])
  }
  const gap = await checkSlot(patient, 'date=28/03/2027&time=01:30')
  expect([gap.status, gap.body['error']]).toEqual([
    422,
    'This time does not exist on that day (clocks change).',
  ])
})

test('a card payment through the documented calls: code, checkout, session', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  await verifyCode(patient)
  const begun = await checkout(patient)
  expect(begun.status).toBe(200)
  expect(begun.body).toEqual({
    status: true,
    message: 'Pay within the checkout to book the visit.',
    clientSecret: secretText,
  })
  const session = String(begun.body['clientSecret']).split('_secret_')[0] ?? ''
  const ask = () =>
    patient.program.send(`GET /user/stripe-checkout-session-status?session_id=${session}`)
  expect((await ask()).body).toEqual({ status: 'open', customer_email: patient.email })
  fixture.sandbox.payByCard(session)
  expect((await ask()).body).toEqual({ status: 'complete', customer_email: patient.email })
  patient.program.token = null
  // 37: anybody else with the page's address sees the status, but not the email.
  expect((await ask()).body).toEqual({ status: 'complete', customer_email: null })
})

test('a repeated checkout finds the hold and returns the same secret', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  await verifyCode(patient)
  const first = await checkout(patient)
  const again = await checkout(patient)
  expect(again.body['clientSecret']).toBe(first.body['clientSecret'])
})

test('a key makes a checkout happen once, and another checkout under it is refused', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  await verifyCode(patient)
  const { program, providerId } = patient
  const send = (purpose: string) =>
    program.send(`POST /user/stripe-checkout/${program.userId}/`, {
      body: { providerId, ...SLOT, purpose_for_visit: purpose },
      headers: { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-checkout' },
    })
  const first = await send('A cough that will not go away')
  const again = await send('A cough that will not go away')
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await send('Another thing altogether')
  expect([other.status, other.body['code']]).toEqual([422, 'key_reused'])
})

test('an overlapping visit is refused, and held with overlapOk', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  await verifyCode(patient)
  await checkout(patient)
  const { id } = await makeProvider(fixture.testApp, {
    slots: [Date.parse('2026-03-05T09:00:00Z')],
  })
  const elsewhere = { ...patient, providerId: id }
  const refused = await checkout(elsewhere)
  expect([refused.status, refused.body['code']]).toEqual([409, 'visits_overlap'])
  expect(refused.body['message']).toBe(
    'You already have an appointment with Dr Amara Okafor at 09:00 on Thursday 5 March.',
  )
  fixture.testApp.advance(61_000)
  await verifyCode(patient)
  const held = await checkout(elsewhere, { overlapOk: true })
  expect([held.status, held.body['clientSecret']]).toEqual([200, secretText])
  const order = await checkout(elsewhere, { overlapOk: true }, 'paypal-order')
  expect(order.status).toBe(200)
})

test('without a verified code nothing is paid, and the time stays held', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const refused = await checkout(patient)
  expect([refused.status, refused.body['message']]).toEqual([
    409,
    'Confirm the code we emailed you first.',
  ])
  expect(refused.body['error']).toBe(refused.body['message'])
  await verifyCode(patient)
  expect((await checkout(patient)).status).toBe(200)
})

test('18, 20, 25: taken and unknown times, and purposes that are too short', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const short = await checkout(patient, { purpose_for_visit: 'A cough' })
  expect([short.status, short.body['error']]).toEqual([
    400,
    'Please describe more about your medical concern',
  ])
  const digits = await checkout(patient, { purpose_for_visit: '12345 !!' })
  expect(digits.body['error']).toBe('Add a valid concern')
  const unknown = await checkout(patient, { timeSlot: '10:00' })
  expect([unknown.status, unknown.body['error']]).toEqual([404, 'That time is not offered.'])
  const region = await checkout(patient, { providerRegion: 'usa' })
  expect(region.status).toBe(404)
  await fixture.hold()
  const taken = await checkout(patient)
  expect([taken.status, taken.body['error'], taken.body['message']]).toEqual([
    409,
    'Oops! This slot is already booked.',
    'Oops! This slot is already booked.',
  ])
})

test('11, 12, 17: codes of another length are `Invalid OTP`, wrong ones are false', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const code = await sendCode(patient)
  for (const otp of ['12345', '1234567', '١٢٣٤٥٦', '１２３４５６', '12345\0', '🔑🔑🔑', '']) {
    const answer = await checkCode(patient, otp)
    expect([otp, answer.status, answer.body['error']]).toEqual([otp, 400, 'Invalid OTP'])
  }
  const wrong = code === '000000' ? '000001' : '000000'
  const answer = await checkCode(patient, wrong)
  expect([answer.status, answer.body]).toEqual([200, { status: false }])
  expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(JSON.stringify(fixture.testApp.logged)).not.toContain(code)
})

test('13: after five wrong codes a new one is required', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const code = await sendCode(patient)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) await checkCode(patient, wrong)
  const answer = await checkCode(patient, code)
  expect([answer.status, answer.body['error']]).toEqual([
    429,
    'Too many attempts. Request a new code.',
  ])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('27: another person’s data is not found with one’s own token', async () => {
  await using fixture = await makePaymentFixture()
  const patient = await addRestPatient(fixture)
  const other = await makeAccount(fixture.testApp)
  const { program } = patient
  for (const call of [
    `POST /user/user-otp-verification/${other.id}/`,
    `GET /user/user-otp-verification/${other.id}/?otp=123456`,
    `POST /user/stripe-checkout/${other.id}/`,
    `POST /user/paypal-order/${other.id}/`,
  ]) {
    const { status, body } = await program.send(call, call.startsWith('GET') ? {} : { body: {} })
    expect([call, status, body['code']]).toEqual([call, 404, 'not_found'])
  }
  const denied = await fixture.testApp.database.db
    .selectFrom('audit')
    .select('entity')
    .where('action', '=', 'call.denied')
    .execute()
  expect(denied).toHaveLength(4)
})

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

test('POST /user/verify-payment/ returns success, and the status COMPLETED with the visit', async () => {
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
])('26: %j differs from the order, and nothing is captured', async (change) => {
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

test('27, 37: another person’s order, another person and another region are not found', async () => {
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

test('a wallet order replaces a card checkout for the same time', async () => {
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

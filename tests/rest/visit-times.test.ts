import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { programOf } from '#tests/harness/servers/rest.ts'

test('a wallet payment for a time in another zone is verified by the time at the main practice', async () => {
  await using fixture = await makePaymentFixture()
  const { testApp, sandbox } = fixture
  const { id: providerId } = await makeProvider(testApp, {
    region: 'usa',
    currency: 'USD',
    places: [{ time_zone: 'America/New_York' }, { time_zone: 'America/Chicago' }],
    slots: [Date.parse('2026-03-03T15:00:00Z')],
    slotPlace: 1,
  })
  const account = await makeAccount(testApp)
  const program = await programOf(testApp, account)
  // The main practice is in New York, that of the visit in Chicago.
  const { date, time } = { date: '03/03/2026', time: '10:00' }
  const code = `/user/user-otp-verification/${program.userId}/`
  await program.send(`POST ${code}`)
  await program.send(`GET ${code}?otp=${codeIn(await lastMailTo(testApp, account.email))}`)
  const purpose = 'A cough that will not go away'
  const begun = await program.send(`POST /user/paypal-order/${program.userId}/`, {
    body: { providerId, bookedDate: date, timeSlot: time, purpose_for_visit: purpose },
  })
  const orderID = String(begun.body['orderID'])
  sandbox.approve(orderID)
  const verify = async (formattedEndTime: string) => {
    const bookingDetails = { date, time }
    const { body } = await program.send('POST /user/verify-payment/', {
      body: { orderID, bookingDetails, formattedEndTime },
    })
    return body['success']
  }
  expect(await verify('11:00')).toBe(false)
  expect(await verify('10:30')).toBe(true)
})

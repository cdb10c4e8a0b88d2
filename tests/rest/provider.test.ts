import { expect, test } from 'vitest'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { addAccounts } from '#tests/harness/bank-accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { programOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { setRegister } from '#tests/harness/verification.ts'
import { insertVisit } from '#tests/harness/visits.ts'

async function makePractice(testApp: TestApp, accounts = 2) {
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const ids = await addAccounts(browser, accounts)
  return { provider, account, ids, program: await programOf(testApp, account) }
}

test('GET and DELETE of the bank accounts, as the documented screen uses them', async () => {
  await using testApp = await makeTestApp()
  const { provider, ids, program } = await makePractice(testApp)
  const path = `/provider/provider-bank-details/${provider.id}/`
  const listed = await program.send(`GET ${path}?providerRegion=uk`)
  expect(listed.body).toEqual({
    status: true,
    message: 'Bank accounts of the provider',
    Bank_details: [
      {
        _id: ids[0],
        account_number: '••••5910',
        name: 'Account 1',
        is_primary: true,
        bank_code: '12-34-56',
      },
      {
        _id: ids[1],
        account_number: '••••5911',
        name: 'Account 2',
        is_primary: false,
        bank_code: '12-34-56',
      },
    ],
  })
  const gone = await program.send(`DELETE ${path}?providerRegion=uk`, {
    body: { unique_id: ids[0] },
  })
  expect([gone.status, gone.body['status']]).toEqual([200, true])
  const last = await program.send(`DELETE ${path}?providerRegion=uk&unique_id=${ids[1]}`)
  expect([last.status, last.body['error']]).toEqual([
    409,
    'You cannot delete this primary account, as there is no secondary accounts ',
  ])
})

test('58: a DELETE without an id deletes nothing', async () => {
  await using testApp = await makeTestApp()
  const { provider, program } = await makePractice(testApp)
  const path = `/provider/provider-bank-details/${provider.id}/`
  for (const sent of [{}, { body: {} }, { body: { unique_id: null } }]) {
    const answer = await program.send(`DELETE ${path}`, sent)
    expect([answer.status, answer.body['error']]).toEqual([400, 'Which item? Send its id.'])
  }
  const unknown = await program.send(`DELETE ${path}?unique_id=bnk_none`)
  expect(unknown.status).toBe(404)
  const listed = await program.send(`GET ${path}`)
  expect(listed.body['Bank_details']).toHaveLength(2)
})

test('another region, and another provider’s id, have no bank accounts', async () => {
  await using testApp = await makeTestApp()
  const { provider, ids, program } = await makePractice(testApp)
  const other = await makeProviderAccount(testApp)
  for (const path of [
    `/provider/provider-bank-details/${provider.id}/?providerRegion=usa`,
    `/provider/provider-bank-details/${other.provider.id}/`,
    '/provider/provider-bank-details/prv_none/',
  ]) {
    expect([path, (await program.send(`GET ${path}`)).status]).toEqual([path, 404])
    const gone = await program.send(`DELETE ${path}`, { body: { unique_id: ids[0] } })
    expect([path, gone.status]).toEqual([path, 404])
  }
})

test('deleting a bank account requires a step-up', async () => {
  await using testApp = await makeTestApp()
  const { provider, ids, program } = await makePractice(testApp)
  testApp.advance(6 * 60_000)
  const path = `DELETE /provider/provider-bank-details/${provider.id}/`
  const answer = await program.send(path, { body: { unique_id: ids[0] } })
  expect([answer.status, answer.body['code']]).toEqual([403, 'step_up_required'])
})

test('GET of the booked history returns appointments, current_page and total_pages', async () => {
  await using testApp = await makeTestApp()
  const { provider, program } = await makePractice(testApp, 0)
  const patient = await makeAccount(testApp)
  for (let day = 1; day <= 6; day += 1) {
    await insertVisit(testApp, provider, {
      patientNo: patient.no,
      startsAt: `2026-02-0${day}T14:30:00Z`,
    })
  }
  const path = `GET /provider/provider-booked-appointment-history/${provider.id}/`
  const answer = await program.send(
    `${path}?ProviderRegion=uk&page=2&sort=desc&payment_method=all&month=all&year=`,
  )
  expect(answer.body).toMatchObject({
    status: true,
    current_page: 2,
    total_pages: 2,
    appointments: [
      {
        user_name: 'Maya Ellis',
        doctor_name: 'Dr Amara Okafor',
        date: '01/02/2026',
        start_time: '14:30',
        amount: '60.00',
        payment_method: 'stripe',
        doctor_region: 'uk',
      },
    ],
  })
  expect((await program.send(`${path}?ProviderRegion=usa`)).status).toBe(404)
  const month = await program.send(`${path}?month=02`)
  expect([month.status, month.body['error']]).toEqual([400, 'Please enter a year'])
  const old = await program.send(`${path}?month=02&year=999`)
  expect([old.status, old.body['appointments']]).toEqual([200, []])
})

test('POST /api/gmc_verification/ returns Name and registration_number for one’s own number', async () => {
  await using testApp = await makeTestApp()
  const { program } = await makePractice(testApp, 0)
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const own = await program.send('POST /api/gmc_verification/', { body: ' 7000001\n' })
  expect([own.status, own.body]).toEqual([
    200,
    { Name: 'Amara Okafor', registration_number: '7000001' },
  ])
  expect((await program.send('POST /api/gmc_verification/', { body: '7000002' })).status).toBe(404)
  expect((await program.send('POST /api/gdc_verification/', { body: '7000001' })).status).toBe(404)
  const words = await program.send('POST /api/gmc_verification/', { body: 'my number' })
  expect(words.status).toBe(400)
  const json = await program.send('POST /api/gmc_verification/', { body: { number: '7000001' } })
  expect(json.status).toBe(415)
  const long = await program.send('POST /api/gmc_verification/', { body: '7'.repeat(33) })
  expect(long.status).toBe(413)
})

test('a number missing from the register is reported in `error`', async () => {
  await using testApp = await makeTestApp()
  const { program } = await makePractice(testApp, 0)
  await setRegister(testApp, 'GMC', [{ number: '7000009', name: 'Somebody Else' }])
  const none = await program.send('POST /api/gmc_verification/', { body: '7000001' })
  expect([none.status, none.body['error']]).toEqual([404, 'The GMC register has no such number.'])
})

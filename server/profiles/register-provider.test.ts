import { expect, test } from 'vitest'
import { RegisterResponse } from '#contract/auth.ts'
import type { Region } from '#contract/base/region.ts'
import type { Database } from '#db/engine.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { codeIn, lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const handle: unknown = expect.stringMatching(/^[\w-]{43}$/)

const practice = {
  first_name: 'amara',
  last_name: 'bennett',
  email: 'amara@clinic.example',
  phone_number: '020 7946 0123',
  password: PASSWORD,
  region: 'uk' as Region,
  registed_with: { professional_body_name: 'GMC', membership_number: ' 7000001 ' },
  specialty: 'gp',
  qualifications: ['MBBS'],
  hospital_name: 'Riverside Family Practice',
  address: '24 Chapel Street',
  postcode: 'se1 6et',
  amount: 6_000,
  follow_amount: 4_000,
  consultation_minutes: 20,
  languages: ['en', 'fr', 'en'],
  about: 'I have been a GP south of the river for fourteen years.',
  terms: true,
}

async function withPlaces(database?: Database): Promise<TestApp> {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  await addPlaces(testApp)
  return testApp
}

function register(testApp: TestApp, change: object = {}) {
  return new Browser(testApp).act('profiles.registerProvider', { ...practice, ...change })
}

test('registering creates an Unverified profile with its place, which is not listed', async () => {
  await using testApp = await withPlaces()
  const { status, data } = await register(testApp)
  expect([status, data]).toEqual([200, { status: true, auth_token: handle }])
  const { db } = testApp.database
  const [provider] = await db.selectFrom('providers').selectAll().execute()
  expect(provider).toMatchObject({
    first_name: 'Amara',
    last_name: 'Bennett',
    verification_status: 'Unverified',
    membership_number: '7000001',
    currency: 'GBP',
    amount_minor: 6_000,
    languages: '["en","fr"]',
  })
  expect(await db.selectFrom('places').selectAll().execute()).toMatchObject([
    {
      provider_no: provider?.no,
      name: 'Riverside Family Practice',
      postcode: 'SE1 6ET',
      locality: 'London',
      time_zone: 'Europe/London',
      latitude: 51.4965,
      // The account's phone number is private.
      phone: null,
    },
  ])
  expect(await db.selectFrom('search_index').selectAll().execute()).toEqual([])
  const hidden = await new Browser(testApp).ask('search.provider', { id: provider?.id })
  expect(hidden.code).toBe('provider_not_found')
})

test('the emailed code confirms the address in the browser that registered, and signs in', async () => {
  await using testApp = await withPlaces()
  const browser = new Browser(testApp)
  const { data } = await browser.act('profiles.registerProvider', practice)
  const { auth_token } = RegisterResponse.parse(data)
  const mail = await lastMailTo(testApp, practice.email)
  expect(tokenIn(mail, 'verify')).toHaveLength(43)
  const code = codeIn(mail)
  const wrong = code === '000000' ? '111111' : '000000'
  const refused = await browser.act('auth.confirmEmail', { auth_token, otp: wrong })
  expect(refused.data).toEqual({ status: false, me: null })
  const elsewhere = await browser.act('auth.confirmEmail', {
    auth_token: 'A'.repeat(43),
    otp: code,
  })
  expect(elsewhere.data).toEqual({ status: false, me: null })
  const confirmed = await browser.act('auth.confirmEmail', { auth_token, otp: code })
  expect(confirmed.data).toMatchObject({
    status: true,
    me: { kind: 'provider', provider: { region: 'uk', verification_status: 'Unverified' } },
  })
  expect((await browser.ask('auth.sessions')).status).toBe(200)
  const again = await new Browser(testApp).act('auth.confirmEmail', { auth_token, otp: code })
  expect(again.data).toEqual({ status: false, me: null })
})

test('an invented handle has the same five attempts as a real one', async () => {
  await using testApp = await withPlaces()
  await makeAccount(testApp, { kind: 'provider', email: practice.email })
  const known = await register(testApp)
  const fresh = await register(testApp, { email: 'other@clinic.example' })
  for (const { data } of [known, fresh]) {
    const { auth_token } = RegisterResponse.parse(data)
    const outcomes: unknown[] = []
    for (let count = 0; count < 6; count += 1) {
      const browser = new Browser(testApp)
      const { status, code } = await browser.act('auth.confirmEmail', { auth_token, otp: '000000' })
      outcomes.push([status, code])
    }
    expect(outcomes).toEqual([
      ...Array.from({ length: 5 }, () => [200, null]),
      [429, 'code_locked'],
    ])
  }
})

test.each([
  ['a practice abroad', { postcode: '78701' }, 'postcode'],
  ['half a postcode', { postcode: 'SE1' }, 'postcode'],
  ['a town', { postcode: 'London' }, 'postcode'],
  ['an unknown postcode', { postcode: 'LS1 4AP' }, 'postcode'],
  ['SQL for a postcode', { postcode: "' OR 1=1--" }, 'postcode'],
  [
    'a GMC number of six digits',
    { registed_with: { professional_body_name: 'GMC', membership_number: '700001' } },
    'registed_with.membership_number',
  ],
  [
    'an American register',
    { registed_with: { professional_body_name: 'NPI', membership_number: '1234567890' } },
    'registed_with.professional_body_name',
  ],
  ['a fee below one', { amount: 99 }, 'amount'],
  ['a fee of half a penny', { amount: 100.5 }, 'amount'],
  ['a fee beyond reason', { follow_amount: 1_000_001 }, 'follow_amount'],
  ['no language', { languages: [] }, 'languages'],
  ['a visit of no time', { consultation_minutes: 0 }, 'consultation_minutes'],
  ['terms not agreed to', { terms: false }, 'terms'],
])('%s is refused beside its field, and nothing is written', async (_what, change, path) => {
  await using testApp = await withPlaces()
  const { status, issues } = await register(testApp, change)
  expect(status).toBe(400)
  expect(issues.map((issue) => issue.path)).toEqual([path])
  expect(issues[0]?.message).toMatch(/^[A-Z].*\.$/)
  expect(await testApp.database.db.selectFrom('providers').selectAll().execute()).toEqual([])
})

test.each(['status', 'verification_status', 'verified_at', 'is_admin', 'currency'])(
  'the unknown field %s is refused',
  async (key) => {
    await using testApp = await withPlaces()
    const { status, message } = await register(testApp, { [key]: 'Verified' })
    expect([status, message]).toEqual([400, 'Unknown field.'])
  },
)

test('a known address gets the same response, and no second profile', async () => {
  await using testApp = await withPlaces()
  await register(testApp)
  const { status, data } = await register(testApp, { first_name: 'Somebody' })
  expect([status, data]).toEqual([200, { status: true, auth_token: handle }])
  const rows = await testApp.database.db.selectFrom('providers').select('first_name').execute()
  expect(rows).toEqual([{ first_name: 'Amara' }])
})

describeEngines('registering a practice', (makeDatabase) => {
  test('four concurrent registrations make one account, one profile and one place', async () => {
    const testApp = await withPlaces(await makeDatabase())
    const asked = Array.from({ length: 4 }, () =>
      new Browser(testApp).act('profiles.registerProvider', practice),
    )
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { db } = testApp.database
    for (const table of ['accounts', 'providers', 'places'] as const) {
      expect([table, (await db.selectFrom(table).select('no').execute()).length]).toEqual([
        table,
        1,
      ])
    }
  })
})

test('the email that is asked for again within a minute comes with the link, and the first code still works', async () => {
  await using testApp = await withPlaces()
  const browser = new Browser(testApp)
  const { data } = await browser.act('profiles.registerProvider', practice)
  const { auth_token: pending } = RegisterResponse.parse(data)
  const code = codeIn(await lastMailTo(testApp, practice.email))
  testApp.advance(20_000)
  const again = { email: practice.email, user_type: 'provider' }
  expect((await browser.act('auth.resendVerification', again)).status).toBe(200)
  const second = await lastMailTo(testApp, practice.email)
  expect(testApp.mails).toHaveLength(2)
  expect([tokenIn(second, 'verify'), codeIn(second)]).toEqual([handle, ''])
  const confirmed = await browser.act('auth.confirmEmail', { auth_token: pending, otp: code })
  expect(confirmed.data).toMatchObject({ status: true })
})

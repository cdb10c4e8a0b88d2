import { expect, test } from 'vitest'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, strangerDenials } from '#tests/harness/test-app.ts'

const details = {
  first_name: 'maya',
  last_name: 'ellis-okoro',
  phone_number: '+44 20 7946 0999',
  default_radius: 25,
}

test('a patient reads and changes their own details', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  expect((await browser.ask('profiles.details')).data).toEqual({
    first_name: 'Maya',
    last_name: 'Ellis',
    email: account.email,
    phone_number: '020 7946 0123',
    date_of_birth: '1988-04-17',
    profile_image: null,
    default_radius: 10,
  })
  const { data } = await browser.act('profiles.updateDetails', details)
  expect(data).toMatchObject({ first_name: 'Maya', last_name: 'Ellis-okoro', default_radius: 25 })
  expect((await browser.ask('auth.me')).data).toMatchObject({ default_radius: 25 })
  const late = await browser.act('profiles.updateDetails', {
    ...details,
    date_of_birth: '2030-01-01',
  })
  expect(late.issues).toEqual([
    { path: 'date_of_birth', message: 'Your date of birth must be in the past.' },
  ])
})

test('whoever is no patient has none, and every refusal is audited', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  expect((await browser.ask('profiles.details')).status).toBe(401)
  await browser.signIn(account)
  expect((await browser.ask('profiles.details')).status).toBe(403)
  const foreign = await browser.fetch('/trpc/auth.signOut', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(foreign.status).toBe(403)
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['outcome', 'actor_kind', 'actor_id', 'entity', 'details', 'network'])
    .where('action', '=', 'call.denied')
    .orderBy('no')
    .execute()
  expect(rows).toEqual([
    {
      outcome: 'denied',
      network: '192.0.2.1',
      actor_kind: 'provider',
      actor_id: account.id,
      entity: 'profiles.details',
      details: '{"code":"forbidden"}',
    },
  ])
  const stranger = { network: '192.0.2.1', count: 1 }
  expect(await strangerDenials(testApp)).toEqual([
    { ...stranger, path: '/trpc/auth.signOut', code: 'foreign_origin' },
    { ...stranger, path: 'profiles.details', code: 'sign_in_required' },
  ])
})

test('an answer to the cookie banner is kept under its id and can be changed', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const consentID = '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d'
  expect((await browser.ask('profiles.consent', { consentID })).data).toBeNull()
  for (const statistics of [true, false]) {
    const choice = { consentID, preferences: true, statistics }
    expect((await browser.act('profiles.saveConsent', choice)).data).toEqual({ status: true })
    expect((await browser.ask('profiles.consent', { consentID })).data).toEqual({
      preferences: true,
      statistics,
    })
  }
  const long = await browser.ask('profiles.consent', { consentID: 'x'.repeat(81) })
  expect(long.status).toBe(400)
})

import { expect, test } from 'vitest'
import { makeToken } from '#tests/harness/access-tokens.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { Program, programOf } from '#tests/harness/servers/rest.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const list = 'GET /user/favourites/'

test('a script saves a provider, finds them on its list, and removes them', async () => {
  await using testApp = await makeTestApp()
  const { id, no } = await makeProvider(testApp)
  const program = await programOf(testApp, await makeAccount(testApp))
  const save = () => program.send('POST /user/favourites/', { body: { providerId: id } })
  expect((await save()).body).toEqual({ status: true, message: 'Saved.' })
  expect((await save()).status).toBe(200)
  const row = {
    provider_id: id,
    saved_at: '2026-03-02T09:00:00.000Z',
    is_listed: true,
    doctor_name: 'Dr Amara Okafor',
    region: 'uk',
    speciality: 'GP',
    hospital_name: 'Borough Practice',
    amount: '60.00',
    currency: 'GBP',
  }
  expect((await program.send(list)).body).toMatchObject({ status: true, favourites: [row] })
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', no)
    .execute()
  const hidden = { provider_id: id, is_listed: false, doctor_name: null, amount: null }
  expect((await program.send(list)).body).toMatchObject({ favourites: [hidden] })
  const remove = await program.send(`DELETE /user/favourites/${id}/`)
  expect(remove.body).toEqual({ status: true, message: 'Removed.' })
  expect((await program.send(list)).body).toEqual({ status: true, favourites: [] })
  const refused = await save()
  expect([refused.status, refused.body['code']]).toEqual([404, 'provider_not_found'])
  expect((await program.send('DELETE /user/favourites/prv_none/')).status).toBe(404)
})

test('nobody has a list but patients, each of their own', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const mine = await programOf(testApp, await makeAccount(testApp))
  await mine.send('POST /user/favourites/', { body: { providerId: id } })
  const other = await programOf(testApp, await makeAccount(testApp))
  expect((await other.send(list)).body['favourites']).toEqual([])
  expect((await new Program(testApp).send(list)).status).toBe(401)
})

test.each([
  ['favourites:read', 200, 403],
  ['favourites:write', 200, 200],
  ['visits:write', 403, 403],
] as const)('a token for %s may do no more than that', async (scope, reading, saving) => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  const { secret } = await makeToken(browser, [scope])
  const send = (path: string, init: RequestInit = {}) =>
    testApp.app.fetch(
      new Request(`http://localhost:3000${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      }),
      '192.0.2.3',
    )
  expect((await send('/user/favourites/')).status).toBe(reading)
  const body = JSON.stringify({ providerId: id })
  expect((await send('/user/favourites/', { method: 'POST', body })).status).toBe(saving)
})

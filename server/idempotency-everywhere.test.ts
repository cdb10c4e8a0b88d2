import { expect, test } from 'vitest'
import { readViewer } from '#server/http/session.ts'
import { readClient } from '#server/kernel/limits/client.ts'
import { makePerson, type Person } from '#tests/harness/principals.ts'
import { isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeContext } from './context.ts'
import { beginIdempotent } from './idempotency.ts'
import { accessTable } from './kernel/access.ts'
import { isRepeatable } from './kernel/idempotency.ts'

const KEY = { 'idempotency-key': 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' }
const STORED_RESPONSE = { kept: 'the first answer' }

const real = {
  config: { demo: false, publicUrl: 'http://localhost:3000' },
  gateways: makeFakeGateways(),
}

/** Keys belong to accounts, so calls that only visitors may make have none. */
const isForAccounts = (path: string) => accessTable.get(path)?.may.some((as) => as !== 'visitor')
const writes = procedurePaths.filter((path) => !isQuery(path) && isForAccounts(path))
const [repeatable, secret] = [writes.filter(isRepeatable), writes.filter((w) => !isRepeatable(w))]

/** A signed-in person with a fresh sign-in proof who may make the call. */
async function callerOf(testApp: TestApp, path: string): Promise<Person> {
  const may = accessTable.get(path)?.may ?? []
  const found = await makePerson(
    testApp,
    ({ as, isSteppedUp: isProved, isInSetup, token }) =>
      as !== 'visitor' && may.includes(as) && isProved && !isInSetup && token === null,
  )
  if (found === undefined) throw new Error(`nobody may call ${path}`)
  return found
}

/** Stores a response under the key, as the middleware does after a successful call. */
async function storeResponse(testApp: TestApp, person: Person, path: string): Promise<void> {
  const client = readClient(new Headers({ ...person.browser.headers(), ...KEY }))
  const request = { requestId: 'TEST', network: '192.0.2.1', client }
  const viewer = await readViewer(testApp.services, request)
  const ctx = makeContext(testApp.services, { ...request, ...viewer })
  const first = await beginIdempotent(ctx, {
    path,
    getRawInput: () => Promise.resolve(sampleInputs[path]),
  })
  if (first === null) throw new Error(`${path} is not done once`)
  await first.end({ ok: true, data: STORED_RESPONSE })
}

function keysIn({ database }: TestApp) {
  return database.db.selectFrom('idempotency_keys').select('answer').execute()
}

test('there are writes to try it with, of every room that writes', () => {
  expect(repeatable.length).toBeGreaterThan(25)
  expect(secret.length).toBeGreaterThan(15)
})

test.each(repeatable)(
  '%s under a key is done once, and refused with other details',
  async (path) => {
    await using testApp = await makeTestApp(real)
    const person = await callerOf(testApp, path)
    const first = await person.browser.act(path, sampleInputs[path], KEY)
    expect(first.status).toBeLessThan(500)
    // A refused call releases its key, so a response is stored directly instead.
    if (first.status !== 200) {
      expect(await keysIn(testApp)).toEqual([])
      await storeResponse(testApp, person, path)
    }
    const wanted = first.status === 200 ? first.data : STORED_RESPONSE
    const before = await testApp.database.db.selectFrom('audit').select('id').execute()
    const again = await person.browser.act(path, sampleInputs[path], KEY)
    expect([again.status, again.data]).toEqual([200, wanted])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await testApp.database.db.selectFrom('audit').select('id').execute()).toEqual(before)
    const other = await person.browser.act(path, { ...sampleInputs[path], other: 1 }, KEY)
    expect([other.status, other.code, other.message]).toEqual([
      422,
      'key_reused',
      'This request was already used with different details.',
    ])
  },
)

test.each(secret)('%s keeps no answer, whatever key it comes with', async (path) => {
  await using testApp = await makeTestApp(real)
  const person = await callerOf(testApp, path)
  const first = await person.browser.act(path, sampleInputs[path], KEY)
  expect(first.status).toBeLessThan(500)
  expect(await keysIn(testApp)).toEqual([])
})

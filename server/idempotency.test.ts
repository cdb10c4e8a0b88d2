import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makePerson, type Person } from '#tests/harness/principals.ts'
import { isQuery, metaOf, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { openEmptyDatabase } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeContext } from './context.ts'
import { readViewer } from './http/route-guards.ts'
import { beginIdempotent } from './idempotency.ts'
import { jobsFor } from './jobs/registry.ts'
import { readClient } from './kernel/wire/client.ts'

const KEY = 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111'
const NINE = '2026-03-03T09:00:00.000Z'
const HALF_PAST = '2026-03-03T09:30:00.000Z'
const HOUR = 3_600_000

const question = {
  first_name: 'Maya',
  last_name: 'Ellis',
  email: 'maya@mail.example',
  message: 'Can you see my son on Friday?',
}

function keyHeader(key: string): Record<string, string> {
  return { 'idempotency-key': key }
}

async function signedIn(testApp: TestApp, address?: string): Promise<Browser> {
  const browser = new Browser(testApp, address)
  await browser.signIn(await makeAccount(testApp))
  return browser
}

async function countMessages({ database }: TestApp): Promise<number> {
  return (await database.db.selectFrom('contact_messages').select('id').execute()).length
}

function keysIn({ database }: TestApp) {
  return database.db.selectFrom('idempotency_keys').selectAll().execute()
}

describeEngines('a write with an idempotency key', (makeDatabase) => {
  test('is done once: a repeat gets the first response, marked as replayed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signedIn(testApp)
    const first = await browser.act('messages.contact', question, keyHeader(KEY))
    const { message, ...rest } = question
    const reordered = { message, ...rest }
    const again = await browser.act('messages.contact', reordered, keyHeader(`"${KEY}"`))
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.data).toEqual(first.data)
    expect(first.headers.has('idempotency-replayed')).toBe(false)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await countMessages(testApp)).toBe(1)
    await browser.act('messages.contact', question, keyHeader(`${KEY}-2`))
    await browser.act('messages.contact', question)
    expect(await countMessages(testApp)).toBe(3)
  })

  test('29: with other details gets 422, and nothing is done', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const provider = await makeProvider(testApp)
    const browser = await signedIn(testApp)
    const wish = { providerId: provider.id, startsAt: NINE }
    const held = await browser.act('booking.hold', wish, keyHeader(KEY))
    const other = await browser.act(
      'booking.hold',
      { ...wish, startsAt: HALF_PAST },
      keyHeader(KEY),
    )
    expect([other.status, other.code, other.message]).toEqual([
      422,
      'key_reused',
      'This request was already used with different details.',
    ])
    const elsewhere = await browser.act('profiles.removePhoto', {}, keyHeader(KEY))
    expect(elsewhere.code).toBe('key_reused')
    const { data: holds } = await browser.ask('booking.holds')
    expect(holds).toMatchObject([{ startsAt: NINE }])
    expect((await browser.act('booking.hold', wish, keyHeader(KEY))).data).toEqual(held.data)
  })

  test('sent twenty times concurrently is done once; early repeats are told when to retry', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signedIn(testApp)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => browser.act('messages.contact', question, keyHeader(KEY))),
    )
    expect(await countMessages(testApp)).toBe(1)
    const done = outcomes.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    for (const early of outcomes.filter(({ status }) => status !== 200)) {
      expect([early.status, early.code, early.retryAfter]).toEqual([409, 'key_running', 2])
    }
    const after = await browser.act('messages.contact', question, keyHeader(KEY))
    expect(after.data).toEqual(done[0]?.data)
  })

  test('belongs to its account: the same key of another account is independent', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const one = await signedIn(testApp)
    const other = await signedIn(testApp, '192.0.2.2')
    const first = await one.act('messages.contact', question, keyHeader(KEY))
    const second = await other.act('messages.contact', question, keyHeader(KEY))
    expect(second.headers.has('idempotency-replayed')).toBe(false)
    expect(second.data).not.toEqual(first.data)
    await one.act('auth.signOut')
    const gone = await one.act('profiles.updateDetails', {}, keyHeader(KEY))
    expect(gone.code).toBe('sign_in_required')
  })

  test('that was refused releases its key', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const provider = await makeProvider(testApp)
    const browser = await signedIn(testApp)
    const wish = { providerId: provider.id, startsAt: '2026-03-03T09:10:00.000Z' }
    expect((await browser.act('booking.hold', wish, keyHeader(KEY))).code).toBe('slot_not_offered')
    expect(await keysIn(testApp)).toEqual([])
    const better = await browser.act('booking.hold', { ...wish, startsAt: NINE }, keyHeader(KEY))
    expect(better.status).toBe(200)
  })

  test('can be repeated after a day', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signedIn(testApp)
    await browser.act('messages.contact', question, keyHeader(KEY))
    const forget = jobsFor(testApp.services.config).find(({ name }) => name === 'forget-keys')
    testApp.advance(24 * HOUR - 1)
    await forget?.run(testApp.services, new AbortController().signal)
    expect(await keysIn(testApp)).toHaveLength(1)
    testApp.advance(1)
    // An expired key no longer counts, even before the job deletes it.
    await browser.act('auth.refresh')
    const anew = await browser.act('messages.contact', question, keyHeader(KEY))
    expect([anew.status, anew.headers.has('idempotency-replayed')]).toEqual([200, false])
    expect(await countMessages(testApp)).toBe(2)
    testApp.advance(24 * HOUR)
    await forget?.run(testApp.services, new AbortController().signal)
    expect(await keysIn(testApp)).toEqual([])
  })

  test('whose worker died is done again after its lease, by one of the repeats', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signedIn(testApp)
    await browser.act('messages.contact', question, keyHeader(KEY))
    // The state after a crash between the write and its response.
    await testApp.database.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    expect((await browser.act('messages.contact', question, keyHeader(KEY))).code).toBe(
      'key_running',
    )
    testApp.advance(60_000)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => browser.act('messages.contact', question, keyHeader(KEY))),
    )
    expect(outcomes.some(({ status }) => status === 200)).toBe(true)
    expect(await countMessages(testApp)).toBe(2)
  })
})

test('is done once where public reads go to a replica, which sets a cookie on every write', async () => {
  const primary = await openEmptyDatabase()
  const replica = { db: primary.db, lagMs: () => 0, isFresh: () => true } as const
  const unused = { measure: () => Promise.resolve(), leave: () => undefined }
  const database = { ...primary, replica: { ...replica, ...unused } }
  await using testApp = await makeTestApp({ database })
  const browser = await signedIn(testApp)
  const first = await browser.act('messages.contact', question, keyHeader(KEY))
  expect(first.headers.getSetCookie().join()).toContain('recent_write=1')
  const again = await browser.act('messages.contact', question, keyHeader(KEY))
  expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([first.data, 'true'])
  expect(await countMessages(testApp)).toBe(1)
})

test('the table contains no readable keys, inputs or responses, and erasing an account deletes its rows', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const browser = await signedIn(testApp)
  await browser.act('booking.hold', { providerId: provider.id, startsAt: NINE }, keyHeader(KEY))
  const rows = JSON.stringify(await keysIn(testApp))
  expect(rows).not.toMatch(/b7c0a9de|Okafor|2026-03-03/)
  await browser.act('erasure.erase', { confirm: true }, keyHeader(`${KEY}-2`))
  await testApp.drainOutbox()
  expect(await keysIn(testApp)).toEqual([])
})

test('responses of account procedures are not stored, because they hold tokens and codes', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { email, kind } = account
  const again = { email, password: 'seven green bottles', user_type: kind }
  expect((await browser.act('auth.signIn', again, keyHeader(KEY))).status).toBe(200)
  expect((await browser.act('auth.refresh', {}, keyHeader(KEY))).status).toBe(200)
  expect(await keysIn(testApp)).toEqual([])
  const excluded = procedurePaths.filter((path) => metaOf(path).isSecret === true)
  expect(excluded.filter((path) => !path.startsWith('auth.')).toSorted()).toEqual([
    'accessTokens.create',
    'audit.verify',
    'erasure.erase',
    'profiles.exportData',
  ])
  expect(excluded).toEqual(
    expect.arrayContaining(procedurePaths.filter((path) => path.startsWith('auth.'))),
  )
})

test('a malformed key is refused, and so is one on a batch; on reads it has no effect', async () => {
  await using testApp = await makeTestApp()
  const browser = await signedIn(testApp)
  for (const key of ['short', 'x'.repeat(201), 'two words here', '']) {
    const refused = await browser.act('messages.contact', question, keyHeader(key))
    expect([refused.status, refused.issues[0]?.path]).toEqual([400, 'Idempotency-Key'])
  }
  const batch = await browser.act('messages.contact,messages.contact?batch=1', {}, keyHeader(KEY))
  expect([batch.status, batch.issues[0]?.message]).toEqual([
    400,
    'Send a call with a key on its own, not in a batch.',
  ])
  expect(await countMessages(testApp)).toBe(0)
  const read = await browser.fetch('/trpc/booking.holds?input=%7B%7D', { headers: keyHeader(KEY) })
  expect(read.status).toBe(200)
  const visitor = new Browser(testApp, '192.0.2.9')
  await visitor.act('messages.contact', question, keyHeader(KEY))
  await visitor.act('messages.contact', question, keyHeader(KEY))
  expect(await countMessages(testApp)).toBe(2)
  expect(await keysIn(testApp)).toEqual([])
})

const STORED_RESPONSE = { kept: 'the first answer' }

const real = {
  config: { demo: false, publicUrl: 'http://localhost:3000' },
  gateways: makeFakeGateways(),
}

/** Keys belong to accounts, so calls that only visitors may make have none. */
const isForAccounts = (path: string) => metaOf(path).may.some((as) => as !== 'visitor')
const writes = procedurePaths.filter((path) => !isQuery(path) && isForAccounts(path))
const secret = writes.filter((path) => metaOf(path).isSecret === true)
const repeatable = writes.filter((path) => metaOf(path).isSecret !== true)

/** A signed-in person with a fresh sign-in proof who may make the call. */
async function callerOf(testApp: TestApp, path: string): Promise<Person> {
  const may = metaOf(path).may
  const found = await makePerson(
    testApp,
    ({ as, isSteppedUp: isProved, setupStep, token }) =>
      as !== 'visitor' && may.includes(as) && isProved && setupStep === null && token === null,
  )
  if (found === undefined) throw new Error(`nobody may call ${path}`)
  return found
}

/** Stores a response under the key, as the middleware does after a successful call. */
async function storeResponse(testApp: TestApp, person: Person, path: string): Promise<void> {
  const client = readClient(new Headers({ ...person.browser.headers(), ...keyHeader(KEY) }))
  const request = { requestId: 'TEST', network: '192.0.2.1', client }
  const viewer = await readViewer(testApp.services, request)
  const ctx = makeContext(testApp.services, { ...request, ...viewer })
  const first = await beginIdempotent(ctx, {
    path,
    getRawInput: () => Promise.resolve(sampleInputs[path]),
  })
  if (first === null) throw new Error(`${path} takes no idempotency key`)
  await first.end({ ok: true, data: STORED_RESPONSE })
}

test('there are sample writes of every room that writes', () => {
  expect(repeatable.length).toBeGreaterThan(25)
  expect(secret.length).toBeGreaterThan(15)
})

test.each(repeatable)(
  '%s under a key is done once, and refused with other details',
  async (path) => {
    await using testApp = await makeTestApp(real)
    const person = await callerOf(testApp, path)
    const first = await person.browser.act(path, sampleInputs[path], keyHeader(KEY))
    expect(first.status).toBeLessThan(500)
    // A refused call releases its key, so a response is stored directly instead.
    if (first.status !== 200) {
      expect(await keysIn(testApp)).toEqual([])
      await storeResponse(testApp, person, path)
    }
    const wanted = first.status === 200 ? first.data : STORED_RESPONSE
    const before = await testApp.database.db.selectFrom('audit').select('id').execute()
    const again = await person.browser.act(path, sampleInputs[path], keyHeader(KEY))
    expect([again.status, again.data]).toEqual([200, wanted])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await testApp.database.db.selectFrom('audit').select('id').execute()).toEqual(before)
    const other = await person.browser.act(
      path,
      { ...sampleInputs[path], other: 1 },
      keyHeader(KEY),
    )
    expect([other.status, other.code, other.message]).toEqual([
      422,
      'key_reused',
      'This request was already used with different details.',
    ])
  },
)

test.each(secret)('%s stores no response, whatever its key', async (path) => {
  await using testApp = await makeTestApp(real)
  const person = await callerOf(testApp, path)
  const first = await person.browser.act(path, sampleInputs[path], keyHeader(KEY))
  expect(first.status).toBeLessThan(500)
  expect(await keysIn(testApp)).toEqual([])
})

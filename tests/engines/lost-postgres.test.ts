import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { makeTree } from '#scripts/test/run-script.ts'
import { makeContext } from '#server/context.ts'
import { beginIdempotent, Replay } from '#server/idempotency.ts'
import { AppError } from '#server/kernel/errors.ts'
import { NO_CLIENT } from '#server/kernel/wire/client.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { copyWhileRunning, startPostgres, writeAs } from '#tests/harness/postgres-server.ts'
import {
  createDatabase,
  MIGRATED_TEMPLATE,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { startPostgresProxy } from '#tests/harness/servers/postgres-proxy.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

async function makeTestAppBehindProxy() {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, MIGRATED_TEMPLATE))
  const postgres = await startPostgresProxy(server)
  const database = openDatabase(postgres.urlOf(name), { poolSize: 4, answerWithinMs: 1_000 })
  const testApp = await makeTestApp({ database })
  return {
    postgres,
    testApp,
    [Symbol.asyncDispose]: async () => {
      postgres.restore()
      await testApp[Symbol.asyncDispose]()
      await database.close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

type TestApp = Awaited<ReturnType<typeof makeTestApp>>

const MESSAGE = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

async function ask(testApp: TestApp, path: string, body?: unknown) {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  }
  const request = new Request(`http://localhost:3000${path}`, body === undefined ? {} : sent)
  const response = await testApp.app.fetch(request, '192.0.2.1')
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  }
}

const SEARCH = `/trpc/search.providers?input=${encodeURIComponent('{"postcode":"","latitude":51.5,"longitude":-0.1}')}`
const REST = '/api/test-search/?latitude=51.5&longitude=-0.1'

test('an unavailable Postgres is reported as busy, and used again once it is back', async () => {
  await using site = await makeTestAppBehindProxy()
  const { postgres, testApp } = site
  expect(await ask(testApp, SEARCH)).toMatchObject({ status: 200 })
  postgres.rejectConnections()
  for (const path of [SEARCH, REST, SEARCH]) {
    const lost = await ask(testApp, path)
    expect(lost).toMatchObject({ status: 503, retryAfter: '2' })
    expect(lost.text).toContain('busy')
  }
  expect(await ask(testApp, '/trpc/messages.contact', MESSAGE)).toMatchObject({ status: 503 })
  for (const path of ['/healthz', '/demo/mailbox.json']) {
    expect(await ask(testApp, path)).toMatchObject({
      status: 503,
      retryAfter: path === '/healthz' ? '5' : '2',
    })
  }
  postgres.restore()
  expect(await ask(testApp, SEARCH)).toMatchObject({ status: 200 })
  expect(await ask(testApp, '/trpc/messages.contact', MESSAGE)).toMatchObject({ status: 200 })
  expect(await ask(testApp, '/healthz')).toMatchObject({ status: 200 })
})

test('a Postgres that never responds times out, and is used again later', async () => {
  await using site = await makeTestAppBehindProxy()
  const { postgres, testApp } = site
  expect(await ask(testApp, SEARCH)).toMatchObject({ status: 200 })
  postgres.blackhole()
  for (const path of [SEARCH, SEARCH, REST]) {
    expect(await ask(testApp, path)).toMatchObject({ status: 503 })
  }
  expect(await ask(testApp, '/trpc/messages.contact', MESSAGE)).toMatchObject({ status: 503 })
  postgres.restore()
  for (const path of [SEARCH, REST, '/healthz']) {
    expect(await ask(testApp, path)).toMatchObject({ status: 200 })
  }
})

/** `begin` begins a write under one idempotency key; `told` does so and returns the outcome. */
async function makeWrite(testApp: TestApp) {
  const { no: accountNo, id: userId } = await makeAccount(testApp)
  const client = { ...NO_CLIENT, idempotencyKey: 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' }
  const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network: '', client } as const
  const begin = () =>
    beginIdempotent(makeContext(testApp.services, facts), {
      path: 'messages.contact',
      getRawInput: () => Promise.resolve(MESSAGE),
      owner: { accountNo, userId },
    })
  const outcome = () =>
    begin().then(
      () => 'begun',
      (error: unknown) =>
        error instanceof Replay ? error.data : error instanceof AppError ? error.code : 'lost',
    )
  return { begin, outcome }
}

test('an idempotency key whose write failed with Postgres is free once it is back', async () => {
  await using site = await makeTestAppBehindProxy()
  const { postgres, testApp } = site
  const { begin, outcome } = await makeWrite(testApp)
  const first = await begin()
  postgres.rejectConnections()
  await first?.end({ ok: false })
  expect(await outcome()).toBe('lost')
  postgres.restore()
  await expect.poll(outcome).toBe('begun')
})

test('a response that could not be stored is stored once Postgres is back', async () => {
  await using site = await makeTestAppBehindProxy()
  const { postgres, testApp } = site
  const { begin, outcome } = await makeWrite(testApp)
  const first = await begin()
  postgres.rejectConnections()
  await first?.end({ ok: true, data: 'sent' })
  postgres.restore()
  await expect.poll(outcome).toBe('sent')
})

test('a key claimed by a transaction whose outcome was lost is released', async () => {
  await using site = await makeTestAppBehindProxy()
  const { postgres, testApp } = site
  const { outcome } = await makeWrite(testApp)
  postgres.mute()
  expect(await outcome()).toBe('lost')
  postgres.restore()
  await expect.poll(outcome).toBe('begun')
})

/** Writes the same value into two rows in one transaction, as a payment and its visit are written. */
async function writePair(database: Database, value: string): Promise<void> {
  await database.transaction(async (db) => {
    for (const key of ['left', 'right']) {
      await db
        .insertInto('geo_meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    }
  })
}

test('a lost Postgres is restored from its base backup and archived log', async () => {
  using tree = makeTree({})
  const [archive, copy] = [join(tree.root, 'archive'), join(tree.root, 'copy')]
  chmodSync(tree.root, 0o755)
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  const server = await startPostgres({
    settings: ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`],
  })
  const database = openDatabase(`${server.url}/postgres`, { poolSize: 2 })
  let written = 0
  try {
    await migrateToLatest(database)
    const copied = new AbortController()
    const writing = (async () => {
      while (!copied.signal.aborted) {
        written += 1
        await writePair(database, String(written))
        await sleep(1)
      }
    })()
    await copyWhileRunning(server, copy)
    copied.abort()
    await writing
    await writePair(database, 'the last that was archived')
    const { rows } = await sql<{ segment: string }>`
      select pg_walfile_name(pg_switch_wal()) as segment`.execute(database.db)
    const last = join(archive, rows[0]?.segment ?? '')
    for (let tries = 0; tries < 300; tries += 1) {
      if (statSync(last, { throwIfNoEntry: false }) !== undefined) break
      await sleep(100)
    }
  } finally {
    await database.close()
    await server.stop()
  }
  expect(written).toBeGreaterThan(5)
  writeAs(copy, 'recovery.signal', '')
  appendFileSync(join(copy, 'postgresql.auto.conf'), `restore_command = 'cp ${archive}/%f %p'\n`)
  const restored = await startPostgres({ settings: ['archive_mode=off'], from: copy })
  const again = openDatabase(`${restored.url}/postgres`, { poolSize: 1 })
  try {
    const pair = await again.db
      .selectFrom('geo_meta')
      .select('value')
      .where('key', 'in', ['left', 'right'])
      .execute()
    expect(pair.map(({ value }) => value)).toEqual(Array(2).fill('the last that was archived'))
    expect(await migrateToLatest(again)).toEqual([])
  } finally {
    await again.close()
    await restored.stop()
  }
})

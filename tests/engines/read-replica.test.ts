import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, type Db, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import type { Replica } from '#db/replica.ts'
import { makeTree, runScript } from '#scripts/test/run-script.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext } from '#server/context.ts'
import { startJobs } from '#server/jobs/loop.ts'
import { replicaJob } from '#server/jobs/registry.ts'
import { readClient } from '#server/kernel/wire/client.ts'
import { queryAs } from '#server/rendering.ts'
import { isReplicaFailure } from '#server/trpc.ts'
import { makeProvider } from '#tests/harness/people.ts'
import {
  type PostgresServer,
  PRIMARY_SETTINGS,
  restartStandby,
  startPostgres,
  startStandby,
} from '#tests/harness/postgres-server.ts'
import { startPostgresProxy } from '#tests/harness/servers/postgres-proxy.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** The first time that the provider offers. */
const TOMORROW = '2026-03-03T09:00:00Z'

const tree = makeTree({})
let primary: PostgresServer
let standby: PostgresServer
let database: Database
let replica: Replica
let testApp: TestApp
let provider: { no: number; id: string }
/** Milliseconds on the clock that measures the replica's lag. */
let time = 0

async function onStandby<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const own = openDatabase(`${standby.url}/postgres`, { poolSize: 1 })
  try {
    return await work(own.db)
  } finally {
    await own.close()
  }
}

/** From here on the standby receives the log but does not replay it. */
const pause = () =>
  onStandby(async (db) => {
    await sql`select pg_wal_replay_pause()`.execute(db)
    const isPaused = sql`select 1 where pg_get_wal_replay_pause_state() = 'paused'`
    await expect.poll(async () => (await isPaused.execute(db)).rows).toHaveLength(1)
  })

const resume = () => onStandby((db) => sql`select pg_wal_replay_resume()`.execute(db))

async function measureReplica(): Promise<[isFresh: boolean, lagMs: number]> {
  await replica.measure()
  return [replica.isFresh(), replica.lagMs()]
}

/** Measures until the replica has everything. */
async function waitForStandby(): Promise<void> {
  await expect.poll(measureReplica).toEqual([true, 0])
}

async function rename(name: string): Promise<void> {
  const change = database.db.updateTable('providers').set({ last_name: name })
  await change.where('id', '=', provider.id).execute()
}

type Sent = { cookie?: string; body?: unknown }

async function ask(path: string, input: unknown, { cookie = '', body }: Sent = {}) {
  const query = body === undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const request = new Request(`http://localhost:3000/trpc/${path}${query}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await testApp.app.fetch(request, '192.0.2.1')
  const text = await response.text()
  return { status: response.status, text, cookies: response.headers.getSetCookie() }
}

/** The provider's name on their public page, for a browser with these cookies. */
async function nameFor(cookie = ''): Promise<string> {
  const { status, text } = await ask('search.provider', { id: provider.id }, { cookie })
  expect(status).toBe(200)
  return /"name":"Dr Amara (\w+)"/.exec(text)?.[1] ?? text
}

async function freeFor(cookie = ''): Promise<boolean> {
  const input = { providerId: provider.id, from: TOMORROW.slice(0, 10), days: 1 }
  const { text } = await ask('availability.freeTimes', input, { cookie })
  return text.includes('09:00')
}

async function readsFrom(from: string): Promise<number> {
  const { values } = await testApp.services.metrics.publicReads.get()
  return values.find(({ labels }) => labels.from === from)?.value ?? 0
}

beforeAll(async () => {
  chmodSync(tree.root, 0o755)
  primary = await startPostgres({ settings: PRIMARY_SETTINGS })
  const url = `${primary.url}/postgres`
  const empty = openDatabase(url, { poolSize: 1 })
  await migrateToLatest(empty)
  await empty.close()
  standby = await startStandby(primary, join(tree.root, 'copy'))
  database = openDatabase(url, { readUrl: `${standby.url}/postgres`, clock: () => time })
  if (database.replica === null) throw new Error('There is no replica.')
  replica = database.replica
  testApp = await makeTestApp({ database })
  provider = await makeProvider(testApp)
})

afterAll(async () => {
  await database.close()
  await standby.stop()
  await primary.stop()
  tree[Symbol.dispose]()
})

afterEach(async () => {
  await resume()
})

beforeEach(async () => {
  await rename('Okafor')
  await waitForStandby()
})

test('visitors read from the replica; signed-in users and recent writers from the primary', async () => {
  await pause()
  await rename('Adeyemi')
  expect(await nameFor()).toBe('Okafor')
  for (const cookie of ['user_id=usr_1', 'recent_write=1']) {
    expect(await nameFor(cookie)).toBe('Adeyemi')
    // A page is rendered as for a visitor, whatever cookies the request has.
    const client = readClient(new Headers({ cookie }))
    const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network: '', client } as const
    const page = await queryAs(makeContext(testApp.services, facts))('search.provider', {
      id: provider.id,
    })
    expect(page).toMatchObject({ name: 'Dr Amara Adeyemi' })
  }
  const own = testApp.caller({ kind: 'patient', id: 'usr_1' })
  expect(await own.search.provider({ id: provider.id })).toMatchObject({ name: 'Dr Amara Adeyemi' })
})

test('every public read works on a standby', async () => {
  const before = await readsFrom('replica')
  const visitor = testApp.caller()
  const point = { latitude: 51.5, longitude: -0.1 }
  const place = { selectedRegion: 'uk', ...point } as const
  expect(await visitor.search.providers(place)).toMatchObject({ total: 1 })
  expect(await visitor.search.map(place)).toMatchObject({ total: 1 })
  await visitor.search.suggest({ selectedRegion: 'uk', text: 'SE1' })
  await expect(visitor.search.locate(point)).rejects.toMatchObject({
    cause: { code: 'location_outside' },
  })
  await visitor.search.provider({ id: provider.id })
  await visitor.availability.freeTimes({ providerId: provider.id, days: 7 })
  await visitor.profiles.visitTypes({ providerId: provider.id })
  await visitor.gallery.homepage({})
  expect((await readsFrom('replica')) - before).toBe(8)
})

test('a replica lagging over ten seconds is not read, and an idle primary causes no lag', async () => {
  time += 3_600_000
  expect(replica.isFresh()).toBe(false)
  await waitForStandby()
  await pause()
  await rename('Adeyemi')
  time += 1_000
  await replica.measure()
  time += 8_000
  await replica.measure()
  expect([replica.lagMs(), await nameFor()]).toEqual([9_000, 'Okafor'])
  // Even without a new measurement.
  time += 1_001
  expect([replica.lagMs(), await nameFor()]).toEqual([10_001, 'Adeyemi'])
  time += 100_000
  await replica.measure()
  expect(await nameFor()).toBe('Adeyemi')
  await resume()
  await waitForStandby()
  const before = await readsFrom('replica')
  expect([await nameFor(), await readsFrom('replica')]).toEqual(['Adeyemi', before + 1])
})

test('a standby that has lost its primary lags once something is written', async () => {
  const setting = (value: string) =>
    onStandby(async (db) => {
      await sql`alter system set primary_conninfo = ${sql.lit(value)}`.execute(db)
      await sql`select pg_reload_conf()`.execute(db)
    })
  const source = await onStandby((db) =>
    sql<{ primary_conninfo: string }>`show primary_conninfo`.execute(db),
  )
  await setting('')
  await onStandby(async (db) => {
    const following = sql`select 1 from pg_stat_wal_receiver`
    await expect.poll(async () => (await following.execute(db)).rows).toEqual([])
  })
  await rename('Adeyemi')
  await replica.measure()
  time += 10_001
  await replica.measure()
  expect(await nameFor()).toBe('Adeyemi')
  await setting(source.rows[0]?.primary_conninfo ?? '')
})

test('holds use the primary, and their client then reads from it', async () => {
  await pause()
  const wish = { providerId: provider.id, startsAt: new Date(TOMORROW).toISOString() }
  const held = await ask('booking.holdAsVisitor', null, { body: wish })
  expect([held.status, held.cookies.join()]).toEqual([
    200,
    expect.stringContaining('recent_write=1; Max-Age=15'),
  ])
  expect([await freeFor(), await freeFor('recent_write=1')]).toEqual([true, false])
  const other = await ask('booking.holdAsVisitor', null, { body: wish })
  expect([other.status, other.text]).toEqual([409, expect.stringContaining('slot_taken')])
  expect(other.cookies.join()).toContain('recent_write=1')
  const looked = await ask('search.locate', null, { body: { latitude: 51.5, longitude: -0.1 } })
  expect(looked.cookies).toEqual([])
})

test('a read cancelled by replay is retried, and the replica stays in use', async () => {
  const slow = onStandby((db) => sql`select pg_sleep(60) from providers`.execute(db))
  const failure = slow.catch((error: unknown) => error)
  const isUnderWay = sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`
  await expect
    .poll(() => onStandby(async (db) => (await isUnderWay.execute(db)).rows))
    .toHaveLength(1)
  await rename('Adeyemi')
  await sql`vacuum providers`.execute(database.db)
  expect(await failure).toMatchObject({ code: '40001' })
  expect([isReplicaFailure(replica, await failure), replica.isFresh()]).toEqual([true, true])
})

test('a killed standby fails no request, and is read again once it is back', async () => {
  const jobs = startJobs(testApp.services, [replicaJob()])
  const messages = () =>
    testApp.logged.filter(({ msg }) => String(msg).startsWith('public reads go'))
  await expect.poll(() => messages().at(-1)?.['msg']).toBe('public reads go to the replica')
  const over = new AbortController()
  const statuses: number[] = []
  const reader = async () => {
    while (!over.signal.aborted) {
      const { status } = await ask('search.provider', { id: provider.id })
      statuses.push(status)
    }
  }
  const readers = [1, 2, 3, 4].map(reader)
  await expect.poll(() => statuses.length).toBeGreaterThan(50)
  const port = Number(new URL(standby.url).port)
  await standby.kill()
  await expect.poll(() => messages().at(-1)?.['msg']).toBe('public reads go to the primary')
  over.abort()
  await Promise.all(readers)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await readsFrom('retried')).toBeGreaterThan(0)
  standby = await restartStandby(standby.data, port)
  await expect.poll(() => messages().at(-1)?.['msg']).toBe('public reads go to the replica')
  await jobs.stop()
  const before = await readsFrom('replica')
  expect([await nameFor(), await readsFrom('replica')]).toEqual(['Okafor', before + 1])
})

test('a silent standby delays current requests by some seconds, and no later ones', async () => {
  const lost = await startPostgresProxy(standby.url)
  const readUrl = lost.urlOf('postgres')
  const silent = openDatabase(`${primary.url}/postgres`, { readUrl, clock: () => time })
  const visitor = createCaller(
    makeContext(
      { ...testApp.services, database: silent },
      { viewer: { kind: 'visitor' }, requestId: 'TEST', network: '' },
    ),
  )
  const look = () => visitor.search.provider({ id: provider.id })
  const isFresh = async () => {
    await silent.replica?.measure()
    return silent.replica?.isFresh()
  }
  await expect.poll(isFresh).toBe(true)
  lost.blackhole()
  const retried = await readsFrom('retried')
  expect(await Promise.all([look(), look()])).toHaveLength(2)
  expect([await readsFrom('retried'), silent.replica?.isFresh()]).toEqual([retried + 2, false])
  expect([(await look()).id, await readsFrom('retried')]).toEqual([provider.id, retried + 2])
  lost.restore()
  await silent.close()
  await lost[Symbol.asyncDispose]()
})

test('the settings check reports the standby’s lag, and databases that are not a standby', () => {
  const check = (read: string) => {
    const { out } = runScript('config-check', [], {
      DATA_DIR: tree.root,
      DATABASE_URL: `${primary.url}/postgres`,
      DATABASE_READ_URL: read,
    })
    return out.split('\n').find((line) => line.includes('read replica'))
  }
  expect(check(`${standby.url}/postgres`)).toMatch(
    /^works {4}read replica: a standby, \d\.\d s behind$/,
  )
  expect(check(`${primary.url}/postgres`)).toBe(
    'fails    read replica: DATABASE_READ_URL does not lead to a standby.',
  )
  expect(check(`${standby.url}/template1`)).toBe(
    'fails    read replica: DATABASE_READ_URL leads to a standby of another database.',
  )
})

test('after a fail-over a standby of the lost primary is not read, one of the new primary is', async () => {
  const promoted = await startStandby(primary, join(tree.root, 'promoted'))
  const url = `${promoted.url}/postgres`
  const left = openDatabase(url, { readUrl: `${standby.url}/postgres` })
  await sql`select pg_promote()`.execute(left.db)
  const follower = await startStandby(promoted, join(tree.root, 'follower'))
  const kept = openDatabase(url, { readUrl: `${follower.url}/postgres` })
  try {
    // The lost primary's later writes make its standby look ahead.
    await rename('Adeyemi')
    await waitForStandby()
    await expect(left.replica?.measure()).rejects.toThrow('no longer the primary')
    expect(left.replica?.isFresh()).toBe(false)
    const isFresh = async () => {
      await kept.replica?.measure()
      return kept.replica?.isFresh()
    }
    await expect.poll(isFresh).toBe(true)
  } finally {
    await Promise.all([left.close(), kept.close()])
    await follower.stop()
    await promoted.stop()
  }
})

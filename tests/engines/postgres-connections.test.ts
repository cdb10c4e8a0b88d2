import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { SearchFilters } from '#contract/search.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { PoolerError } from '#db/failures.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { findPgbouncer, startPgbouncer } from '#scripts/topology/pgbouncer.ts'
import { startPrimary } from '#scripts/topology/postgres.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { searchProviders } from '#server/search/search-providers.ts'
import { linesMatching, read, sourceFiles } from '#tests/arch/repository.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { MIGRATED_TEMPLATE, makePostgresDatabase } from '#tests/harness/servers/empty-database.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { insertPeople } from './search-people.ts'

/**
 * Statements whose effect stays with a connection after its transaction. Behind PgBouncer in transaction
 * mode, the next statement may use another connection, and another client may get this one.
 */
const STATEMENT_STARTS = [
  String.raw`set\s+(?!local\b|transaction\b|constraints\b)\w+(?:\.\w+)?\s*(?:=|\bto\b)`,
  String.raw`set\s+(?:session|time\s+zone|role)\b`,
  String.raw`(?:un)?listen\s+["\w*]+\s*$`,
  String.raw`prepare\s+\w+\s*(?:\(|\bas\b)`,
  String.raw`deallocate\s+\w+`,
  String.raw`discard\s+(?:all|plans|sequences|temp)`,
  String.raw`reset\s+(?:all|role|session|\w+_\w+)\b`,
].join('|')

const ANYWHERE = [
  String.raw`\bset_config\s*\(`,
  String.raw`\bpg_(?:try_)?advisory_(?:lock|unlock)`,
  String.raw`\bcreate\s+(?:global\s+|local\s+)?temp(?:orary)?\b`,
  String.raw`\bwith\s+hold\b`,
  String.raw`\b(?:lastval|currval)\s*\(`,
].join('|')

/** Whether a complete statement leaves session state behind. */
function leavesState(statement: string): boolean {
  return new RegExp(String.raw`^\s*(?:${STATEMENT_STARTS})|${ANYWHERE}`, 'i').test(statement)
}

/** String literals in a source file that would leave session state behind as statements. */
function statefulLiterals(source: string): string[] {
  const pattern = new RegExp(
    `[\`'"]\\s*(?:${STATEMENT_STARTS.replace('$', '[`\'"]')})|${ANYWHERE}`,
    'gi',
  )
  return [...source.matchAll(pattern)].map(([text]) => text)
}

/** A statement as sent over the wire; `name` is empty for an unnamed one. */
type SentStatement = { name: string; text: string }

/** A Postgres behind a proxy that records the statements. */
type RecordedPostgres = {
  /** The address of a database behind the proxy. */
  urlOf(database: string): string
  statements: SentStatement[]
  /** Names of the startup parameters of connections, such as `user`. */
  parameters: Set<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Length and protocol version. */
const STARTUP_HEAD = 8
/** Type and length; the length includes itself. */
const HEAD = 5

function textsIn(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\0')
}

/** Parses what a client sends. Connections without TLS only. */
function makeReader({
  statements,
  parameters,
}: Pick<RecordedPostgres, 'statements' | 'parameters'>) {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false

  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }

  function readMessage(type: string, [first = '', second = '']: string[]): void {
    if (type === 'Q') statements.push({ name: '', text: first })
    if (type === 'P') statements.push({ name: first, text: second })
  }

  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEAD) {
      const length = isBegun ? 1 + rest.readUInt32BE(1) : rest.readUInt32BE(0)
      if (rest.length < length) return
      const message = take(length)
      if (isBegun) readMessage(message.toString('latin1', 0, 1), textsIn(message.subarray(HEAD)))
      else {
        const pairs = textsIn(message.subarray(STARTUP_HEAD))
        for (const [at, text] of pairs.entries()) {
          if (at % 2 === 0 && text !== '') parameters.add(text)
        }
      }
      isBegun = true
    }
  }
}

/** Puts such a proxy in front of the Postgres at `url`. Use it with `await using`. */
async function recordedPostgres(url: string): Promise<RecordedPostgres> {
  const real = new URL(url)
  const record = { statements: [] as SentStatement[], parameters: new Set<string>() }
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(real.port), real.hostname)
    client.on('data', makeReader(record))
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    ...record,
    urlOf: (database) =>
      `postgres://${real.username}:${real.password}@127.0.0.1:${port}/${database}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

const sources = sourceFiles().filter(
  (path) => /^(db|demo|migrations|scripts|server)\//.test(path) && !path.endsWith('.test.ts'),
)

test.each([
  "set time zone 'UTC'",
  'SET statement_timeout = 5',
  'set session characteristics as transaction read only',
  "select set_config('app.user', $1, false)",
  'select pg_advisory_lock(1)',
  'select pg_try_advisory_lock_shared(1)',
  'listen changes',
  'create temporary table mine (no int)',
  'prepare mine as select 1',
  'discard all',
  'reset search_path',
  'declare mine cursor with hold for select 1',
  "select currval('bookings_no_seq')",
])('%s would leave session state', (statement) => {
  expect(leavesState(statement)).toBe(true)
  expect(statefulLiterals(`sql\`\n  ${statement}\``)).toHaveLength(1)
})

test.each([
  'set local lock_timeout = 5',
  'set transaction isolation level repeatable read',
  'set constraints all deferred',
  'select pg_advisory_xact_lock(1)',
  'update slots set free = 0',
  'create table temperatures (no int)',
])('%s leaves no session state', (statement) => {
  expect([leavesState(statement), statefulLiterals(`sql\`${statement}\``)]).toEqual([false, []])
})

test('no statement leaves session state', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(
    sources.flatMap((path) => statefulLiterals(read(path)).map((text) => `${path}: ${text}`)),
  ).toEqual([])
})

test('the driver is used in one place, which sets no session state', () => {
  const users = sources.filter((path) => /from 'pg(?:-\w+)?'/.test(read(path)))
  expect(users).toEqual(['db/postgres.ts'])
  const settings = /^\s+(?:options|name|\w+_timeout):/
  expect(linesMatching(users, settings)).toEqual([])
})

test('migrations run only under the start lock', () => {
  const migrating = sources.filter((path) => /\bmigrateToLatest\(/.test(read(path)))
  expect(migrating.length).toBeGreaterThan(2)
  const unlocked = migrating.filter((path) => !/\bwithStartLock\(/.test(read(path)))
  expect(unlocked).toEqual(['db/migrate.ts'])
})

/** Startup parameters that PgBouncer accepts by default; it refuses clients that send others. */
const TAKEN = ['user', 'database', 'client_encoding', 'application_name']

test('from the first start to a booked visit no session state is left', async () => {
  const server = inject('postgresUrl')
  await using empty = await makePostgresDatabase(server)
  await using postgres = await recordedPostgres(server)
  const url = postgres.urlOf(empty.name)
  const database = openDatabase(url, { poolSize: 4, readUrl: url })
  await withStartLock(url, () => migrateToLatest(database))
  await using testApp = await makeTestApp({ database })
  const provider = await makeProvider(testApp)
  const { ctx, caller } = await makePatient(testApp)
  await caller.search.providers({ latitude: 51.5, longitude: -0.1 })
  const found = await testApp.caller().availability.freeTimes({ providerId: provider.id })
  const startsAt = found.days[0]?.slots[0]?.startsAt ?? ''
  await bookVisit(ctx, { providerId: provider.id, startsAt })
  await expect(database.replica?.measure()).rejects.toThrow('does not lead to a standby')
  const { signal } = new AbortController()
  for (const job of jobsFor({ ...testApp.services.config, demo: false })) {
    // One after the other, each with the database to itself.
    await job.run(testApp.services, signal)
  }
  await database.close()
  const texts = postgres.statements.map(({ text }) => text)
  expect(texts.filter((text) => text === 'begin').length).toBeGreaterThan(10)
  expect(texts.filter((text) => text.includes('slot_claims')).length).toBeGreaterThan(3)
  expect(texts.filter(leavesState)).toEqual([])
  expect(postgres.statements.filter((statement) => statement.name !== '')).toEqual([])
  expect([...postgres.parameters].filter((parameter) => !TAKEN.includes(parameter))).toEqual([])
})

const NOW = Date.parse('2026-03-02T09:00:00Z')
const SEARCHES = 20

const PEOPLE = Array.from({ length: 30 }, (_, n) => ({
  no: n + 1,
  sites: [{ latitude: 51.5 + n / 300, longitude: -0.1 }],
  free: [NOW + 3_600_000],
}))

async function search(database: Database, north = 0): Promise<number> {
  const filters = { latitude: 51.5 + north, longitude: -0.1, radius: 10, specialty: 'gp' }
  const ctx = { database, now: () => NOW }
  return (await searchProviders(ctx, SearchFilters.parse(filters))).total
}

/** A Postgres with some providers behind a recording proxy, and the database's URL. */
async function recorded() {
  const server = inject('postgresUrl')
  const filled = await makePostgresDatabase(server, MIGRATED_TEMPLATE)
  const filling = openDatabase(filled.url, { poolSize: 1 })
  await insertPeople(filling.db, PEOPLE, NOW)
  await filling.close()
  const postgres = await recordedPostgres(server)
  return {
    postgres,
    url: postgres.urlOf(filled.name),
    [Symbol.asyncDispose]: async () => {
      await postgres[Symbol.asyncDispose]()
      await filled[Symbol.asyncDispose]()
    },
  }
}

test('a direct connection prepares each read of a search once, by name, and nothing else', async () => {
  await using there = await recorded()
  const { url, postgres } = there
  const database = openDatabase(url, { poolSize: 1, isDirect: true })
  for (let n = 0; n < SEARCHES; n++) expect(await search(database, n / 1_000)).toBe(30)
  await database.db.selectFrom('providers').select('no').execute()
  await database.close()
  const named = postgres.statements.filter(({ name }) => name !== '')
  // One each for the total, the cards, and their free times.
  expect(named).toHaveLength(3)
  expect(new Set(named.map(({ name }) => name)).size).toBe(3)
  const rest = postgres.statements.filter(({ name }) => name === '').map(({ text }) => text)
  expect(rest).toEqual(['select pg_backend_pid() as pid', 'select "no" from "providers"'])
})

test('without the setting a connection prepares nothing', async () => {
  await using there = await recorded()
  const { url, postgres } = there
  const database = openDatabase(url, { poolSize: 1 })
  for (let n = 0; n < SEARCHES; n++) await search(database)
  await database.close()
  expect(postgres.statements).toHaveLength(3 * SEARCHES)
  expect(postgres.statements.filter(({ name }) => name !== '')).toEqual([])
})

test('a migration that widens a column of a prepared search breaks no search', async () => {
  await using there = await recorded()
  const database = openDatabase(there.url, { poolSize: 1, isDirect: true })
  expect(await search(database)).toBe(30)
  await sql`alter table providers alter column rating_sum type bigint`.execute(database.db)
  const before = there.postgres.statements.length
  for (let n = 0; n < 2; n++) expect(await search(database)).toBe(30)
  const after = there.postgres.statements.slice(before)
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter(({ name }) => name !== '')).toEqual([])
  await database.close()
})

const pgbouncer = findPgbouncer()
const pooler = pgbouncer === null ? 'PgBouncer, which is not installed,' : 'PgBouncer'

test(`${pooler} is refused where connections are declared direct, and works where they are not`, async () => {
  if (pgbouncer === null) return
  const folder = await mkdtemp(join(tmpdir(), 'apposite-pooled-'))
  // Both run as another user when the tests run as root.
  await chmod(folder, 0o755)
  const primary = await startPrimary({ folder, settings: ['fsync=off'] })
  const pooled = await startPgbouncer(pgbouncer, primary, folder)
  try {
    const asked = (url: string, isDirect: boolean) => async () => {
      const database = openDatabase(url, { poolSize: 2, isDirect })
      try {
        return (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows
      } finally {
        await database.close()
      }
    }
    await expect(asked(pooled.url, true)()).rejects.toThrow(PoolerError)
    expect(await asked(pooled.url, false)()).toEqual([{ one: 1 }])
    expect(await asked(primary.url, true)()).toEqual([{ one: 1 }])
  } finally {
    await pooled.stop()
    await primary.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

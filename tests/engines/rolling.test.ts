import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { Hold } from '#contract/booking.ts'
import { PaymentStatus, WalletStart } from '#contract/payments.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { migrations, RELEASED } from '#migrations/registry.ts'
import { checkMigrations } from '#scripts/compatibility/check-migrations.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeAccount, PASSWORD, signedInAs } from '#tests/harness/accounts.ts'
import {
  createDatabase,
  createWithPlaces,
  drawWithPlaces,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import {
  freePort,
  realEnvironment,
  ServerProcess,
  waitUntil,
} from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import { makeProviderWithSlots, readBookingCounts } from './booking-race.ts'
import { NEXT, nextMigration } from './next-version.ts'
import { findViolations } from './payments/payment-invariants.ts'

// A rolling deployment: the current version, and one with a further migration, on one database.

const DAY = 86_400_000
const HALF_AN_HOUR = 30 * 60_000
const PATIENTS = 5
const NEXT_VERSION = join(import.meta.dirname, 'next-version.ts')

const Tokens = z.object({ tokens: z.object({ access_token: z.string() }) })

/**
 * A new database of an engine for the duration of a test, without schema unless it has places, and a folder
 * shared by all processes.
 */
async function makeSite(engine: string, { hasPlaces }: { hasPlaces: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-rolling-'))
  const server = inject('postgresUrl')
  const name = `rolling_${randomBytes(6).toString('hex')}`
  const isPostgres = engine === 'postgres'
  const file = join(folder, 'apposite.db')
  if (!isPostgres && hasPlaces) await writeFile(file, await drawWithPlaces())
  if (isPostgres && hasPlaces) await createWithPlaces(server, name)
  if (isPostgres && !hasPlaces)
    await runOnPostgres(server, (admin) => createDatabase(admin, name, 'template0'))
  return {
    folder,
    url: isPostgres ? `${server}/${name}` : `sqlite:${file}`,
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 20 })
      if (!isPostgres) return
      await runOnPostgres(server, (admin) =>
        sql`drop database ${sql.id(name)} with (force)`.execute(admin.db),
      )
    },
  }
}

/** Patients who book one time after another, each call on the given server. */
async function makePatients(testApp: TestApp, sandbox: TestSandbox) {
  const first = Math.ceil(Date.now() / HALF_AN_HOUR) * HALF_AN_HOUR + 3 * DAY
  const starts = Array.from({ length: 200 }, (_, at) => first + at * HALF_AN_HOUR)
  const slots = starts.map((start) => ({ start, minutes: 30 }))
  const people = await Promise.all(
    Array.from({ length: PATIENTS }, async () => ({
      account: await makeAccount(testApp),
      token: '',
      left: 3,
      providerId: await makeProviderWithSlots(testApp, slots),
    })),
  )
  let booked = 0
  const book = async (server: ServerProcess): Promise<void> => {
    const who = people.find(({ left }) => left > 0)
    if (who === undefined) throw new Error('No patient may book any more.')
    who.left -= 1
    const { account, providerId } = who
    if (who.token === '') {
      const input = { email: account.email, password: PASSWORD, user_type: account.kind }
      who.token = Tokens.parse(await server.act('auth.signIn', input)).tokens.access_token
    }
    const startsAt = new Date(starts[who.left * 4] ?? 0).toISOString()
    const { token } = who
    const hold = Hold.parse(await server.act('booking.hold', { providerId, startsAt }, token))
    await verifyCode({ ...signedInAs(testApp.services, account), now: Date.now }, hold.id)
    const terms = {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough that will not go away',
      shown: hold.fees.first_visit,
    }
    const started = await server.act('payments.startWallet', terms, token)
    const { orderId } = WalletStart.parse(started)
    sandbox.approve(orderId)
    await server.act('payments.capture', { orderId }, token)
    const status = async () =>
      PaymentStatus.parse(await server.ask('payments.status', { orderId }, token)).status
    await waitUntil(async () => (await status()) !== 'PENDING')
    expect(await status()).toBe('COMPLETED')
    booked += 1
  }
  return { book, booked: () => booked }
}

async function migrationsIn({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

test.each(['sqlite', 'postgres'])(
  'on %s, the test migration is compatible with the previous version',
  async (engine) => {
    await using site = await makeSite(engine, { hasPlaces: false })
    const database = openDatabase(site.url, { poolSize: 4 })
    try {
      const steps = { ...migrations, [NEXT]: nextMigration }
      expect(await checkMigrations(database, { steps, released: RELEASED })).toEqual([])
    } finally {
      await database.close()
    }
  },
)

test.each(['sqlite', 'postgres'])(
  'on %s, booking works in the old version while the next one migrates, and in both afterwards',
  async (engine) => {
    await using site = await makeSite(engine, { hasPlaces: true })
    await using sandbox = await startSandbox({ now: Date.now })
    await using post = await startSmtpServer()
    const environment = await realEnvironment(sandbox, site.folder)
    const env = { ...environment, SMTP_URL: post.url, DATABASE_URL: site.url }
    await using before = new ServerProcess(env, await freePort())
    await before.start()
    const database = openDatabase(site.url, { poolSize: 4 })
    try {
      await using testApp = await makeTestApp({ database, newId, clock: Date.now })
      const patients = await makePatients(testApp, sandbox)
      await patients.book(before)

      // Two processes of the next version start at once while patients book.
      await using next = new ServerProcess(env, await freePort(), NEXT_VERSION)
      await using beside = new ServerProcess(env, await freePort(), NEXT_VERSION)
      const isUp = new AbortController()
      const starting = Promise.all([next.start(), beside.start()]).finally(() => isUp.abort())
      // Awaited below, unless a booking fails first.
      starting.catch(() => undefined)
      while (!isUp.signal.aborted && patients.booked() < 4) await patients.book(before)
      await starting
      const names = await migrationsIn(database)
      expect(names.at(-1)).toBe(NEXT)
      expect(new Set(names).size).toBe(names.length)
      // The old version's statements were prepared with the old schema.
      for (const server of [before, next, beside, before]) await patients.book(server)

      // A process of the old version can be restarted.
      await before.stop()
      await before.start()
      expect(await migrateToLatest(database)).toEqual([])
      for (const server of [before, next, before]) await patients.book(server)

      const counts = await readBookingCounts(database.db)
      const count = patients.booked()
      expect(counts).toMatchObject({ confirmed: count, live: count, overlapping: 0, emails: count })
      const unsent = database.db.selectFrom('outbox').select('id').where('done_at', 'is', null)
      await waitUntil(async () => (await unsent.execute()).length === 0)
      expect(await findViolations(testApp, sandbox)).toEqual([])

      // After a contraction one release later, the old version refuses to start and says why.
      await database.db
        .updateTable('app_meta')
        .set({ value: NEXT })
        .where('key', '=', 'serves_from')
        .execute()
      await before.stop()
      await expect(before.start()).rejects.toThrow(
        `A newer version has migrated the database and serves those from ${NEXT} on`,
      )
      await expect(migrateToLatest(database)).rejects.toThrow('A newer version')
    } finally {
      await database.close()
    }
  },
  180_000,
)

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { withStartLock } from '#db/start-lock.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { createDatabase, runOnPostgres } from '#tests/harness/servers/empty-database.ts'
import { recordedPostgres } from '#tests/harness/servers/recorded-postgres.ts'
import { leavesState } from '#tests/harness/session-state.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

/** Startup parameters that PgBouncer accepts by default; it refuses clients that send others. */
const TAKEN = ['user', 'database', 'client_encoding', 'application_name']

test('from the first start to a booked visit nothing is left behind in a connection to Postgres', async () => {
  const server = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, 'template0'))
  await using postgres = await recordedPostgres(server)
  const url = postgres.urlOf(name)
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
    // oxlint-disable-next-line no-await-in-loop -- each as if it had the database for itself
    await job.run(testApp.services, signal)
  }
  await database.close()
  const texts = postgres.statements.map(({ text }) => text)
  expect(texts.filter((text) => text === 'begin').length).toBeGreaterThan(10)
  expect(texts.filter((text) => text.includes('slot_claims')).length).toBeGreaterThan(3)
  expect(texts.filter(leavesState)).toEqual([])
  expect(postgres.statements.filter((statement) => statement.name !== '')).toEqual([])
  expect([...postgres.parameters].filter((parameter) => !TAKEN.includes(parameter))).toEqual([])
  await runOnPostgres(server, (admin) => sql`drop database ${sql.id(name)}`.execute(admin.db))
})

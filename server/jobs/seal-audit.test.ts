import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { verifyAudit } from '#server/audit/audit.ts'
import { makeLog } from '#server/kernel/log.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { logAuditHead, sealAudit } from './seal-audit.ts'

async function record(testApp: TestApp, count: number): Promise<void> {
  const ctx = testApp.context()
  for (let at = 0; at < count; at += 1) {
    await ctx.record({ action: 'call.denied', outcome: 'denied', details: { at } })
  }
}

/** Simulates the database owner, whom triggers do not stop. */
async function withoutTriggers({ engine, db }: Database): Promise<void> {
  if (engine === 'postgres') {
    await sql`alter table audit disable trigger all`.execute(db)
    return
  }
  await sql`drop trigger audit_no_update`.execute(db)
  await sql`drop trigger audit_no_delete`.execute(db)
}

describeEngines('the audit log', (makeDatabase) => {
  async function opened(): Promise<TestApp> {
    return makeTestApp({ database: await makeDatabase() })
  }

  test('is sealed row by row, and unsealed rows are reported', async () => {
    const testApp = await opened()
    await record(testApp, 3)
    expect(await verifyAudit(testApp.services)).toEqual({
      sealed: 0,
      brokenAt: null,
      brokenRow: null,
      unsealed: 3,
      unsealedSince: testApp.services.now(),
      head: null,
    })
    await sealAudit(testApp.services)
    await record(testApp, 1)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 3, unsealed: 1 })
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 4, unsealed: 0 })
  })

  test('longer than one batch is sealed in one run', async () => {
    const testApp = await opened()
    await record(testApp, 450)
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 450, brokenAt: null })
  })

  test('a row cannot be replaced by an upsert', async () => {
    const testApp = await opened()
    const { db, engine } = testApp.database
    // Postgres has no such statement: there an upsert is an update, which is refused.
    if (engine === 'postgres') return
    await record(testApp, 2)
    await sealAudit(testApp.services)
    const before = await db.selectFrom('audit').selectAll().orderBy('no').execute()
    const [first] = before
    if (first === undefined) throw new Error('nothing was recorded')
    for (const taken of [{ no: first.no }, { id: first.id }, { position: first.position }]) {
      const row = { ...first, no: 90, id: 'aud_new', position: 90, details: '{}', ...taken }
      const insert = db.insertInto('audit').orReplace().values(row)
      await expect(insert.execute()).rejects.toThrow('append-only')
    }
    await record(testApp, 1)
    const over = sql`update or replace audit set position = ${first.position}, seal = 'x' where seal is null`
    await expect(over.execute(db)).rejects.toThrow('append-only')
    expect(await db.selectFrom('audit').selectAll().orderBy('no').limit(2).execute()).toEqual(
      before,
    )
  })

  test('the head of the chain is logged whatever the level of the log', async () => {
    const testApp = await opened()
    await record(testApp, 1)
    await sealAudit(testApp.services)
    const lines: string[] = []
    const destination = { write: (line: string) => lines.push(line) }
    const log = makeLog({ level: 'silent', style: 'json', destination })
    log.fatal('not this')
    await logAuditHead({ ...testApp.services, log })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"position":1')
  })

  test('a row cannot be changed or deleted', async () => {
    const testApp = await opened()
    const { db } = testApp.database
    await record(testApp, 1)
    const change = () => db.updateTable('audit').set({ outcome: 'ok' }).execute()
    await expect(change()).rejects.toThrow('append-only')
    await sealAudit(testApp.services)
    await expect(change()).rejects.toThrow('append-only')
    await expect(db.updateTable('audit').set({ seal: 'x' }).execute()).rejects.toThrow(
      'append-only',
    )
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow('append-only')
  })

  test.each([
    ['one bit of an instant', { at: Date.parse('2026-03-02T09:00:00Z') + 1 }],
    ['one letter of a network', { network: '192.0.2.2' }],
    ['an actor that appears', { actor_id: 'usr_1' }],
    ['one digit of the details', { details: '{"at":9}' }],
    ['a seal', { seal: 'A'.repeat(43) }],
  ])('a changed %s is found at its position', async (_what, change) => {
    const testApp = await opened()
    await record(testApp, 5)
    await sealAudit(testApp.services)
    await withoutTriggers(testApp.database)
    await testApp.database.db.updateTable('audit').set(change).where('position', '=', 3).execute()
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2, brokenAt: 3 })
  })

  test('a row removed from the middle is detected', async () => {
    const testApp = await opened()
    await record(testApp, 5)
    await sealAudit(testApp.services)
    await withoutTriggers(testApp.database)
    await testApp.database.db.deleteFrom('audit').where('position', '=', 3).execute()
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2, brokenAt: 3 })
  })

  test('a rolled-back action leaves no row, and no gap in the chain', async () => {
    const testApp = await opened()
    await record(testApp, 1)
    await expect(
      testApp.context().transaction(async (tx) => {
        await tx.audit.add({ action: 'account.erased' })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await record(testApp, 1)
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2, brokenAt: null })
  })

  test('several processes sealing concurrently make one chain', async () => {
    const testApp = await opened()
    await record(testApp, 60)
    await Promise.all(Array.from({ length: 4 }, () => sealAudit(testApp.services)))
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 60, brokenAt: null })
  })
})

describeEngines('a row that commits late', (makeDatabase) => {
  test('is sealed late, whatever its number', async () => {
    const database = await makeDatabase()
    const testApp = await makeTestApp({ database })
    if (database.engine === 'sqlite') {
      // SQLite serializes transactions, so none commits late.
      await record(testApp, 2)
      await sealAudit(testApp.services)
      expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2 })
      return
    }
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const late = testApp.context().transaction(async (tx) => {
      await tx.audit.add({ action: 'session.began' })
      begun.resolve()
      await released.promise
    })
    await begun.promise
    await record(testApp, 2)
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2, unsealed: 0 })
    released.resolve()
    await late
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 2, unsealed: 1 })
    await sealAudit(testApp.services)
    expect(await verifyAudit(testApp.services)).toMatchObject({ sealed: 3, brokenAt: null })
  })
})

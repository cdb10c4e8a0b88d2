import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { AUDIT_KEY, auditLog } from '#tests/harness/audit-log.ts'
import { makeTree, runScript } from './test/run-script.ts'

function verify(folder: string, ...head: string[]) {
  return runScript('audit-verify', head, { DATA_DIR: folder, SECRET_KEY: AUDIT_KEY })
}

test('reports that the log is intact, and what waits to be sealed', async () => {
  using tree = makeTree({})
  const { database, head } = await auditLog(tree.root)
  await database.close()
  const found = verify(tree.root)
  expect(found).toEqual({
    code: 0,
    out: '5 sealed rows are intact.\n1 rows have been waiting for their seal since 2026-03-02T09:00:00.000Z.\n',
    err: '',
  })
  expect(verify(tree.root, ...head).code).toBe(0)
})

test('reports a changed row', async () => {
  using tree = makeTree({})
  const { database } = await auditLog(tree.root)
  await sql`drop trigger audit_no_update`.execute(database.db)
  const { id } = await database.db
    .updateTable('audit')
    .set({ network: '203.0.113.9' })
    .where('position', '=', 3)
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.close()
  const { code, out, err } = verify(tree.root)
  expect([code, err]).toEqual([1, `The log is broken at position 3; found: ${id}.\n`])
  expect(out).toContain('2 sealed rows')
})

test('a truncated log is detected by a logged head', async () => {
  using tree = makeTree({})
  const { database, head } = await auditLog(tree.root)
  await sql`drop trigger audit_no_delete`.execute(database.db)
  await database.db.deleteFrom('audit').where('position', '>', 3).execute()
  await database.close()
  expect(verify(tree.root).code).toBe(0)
  expect(verify(tree.root, ...head)).toMatchObject({
    code: 1,
    err: 'The log is broken at position 4; it and everything after it are missing.\n',
  })
})

test('a rewritten log of the same length is detected by a logged head', async () => {
  using tree = makeTree({})
  const { database } = await auditLog(tree.root)
  await database.close()
  expect(verify(tree.root, '5', 'A'.repeat(43))).toMatchObject({ code: 1 })
})

test('a seal that begins with a dash is a seal', async () => {
  using tree = makeTree({})
  const { database } = await auditLog(tree.root)
  await database.close()
  const { code, err } = verify(tree.root, '5', `-${'A'.repeat(42)}`)
  expect([code, err]).toEqual([1, expect.stringContaining('The log is broken at position 5')])
})

test('another key is named as a cause, and a missing one is no broken log', async () => {
  using tree = makeTree({})
  const { database } = await auditLog(tree.root)
  await database.close()
  const other = { DATA_DIR: tree.root, SECRET_KEY: 'k'.repeat(40) }
  const { code, err } = runScript('audit-verify', [], other)
  expect(code).toBe(1)
  expect(err).toContain('SECRET_KEY is not the one it was sealed with.')
  expect(runScript('audit-verify', [], { DATA_DIR: tree.root })).toMatchObject({
    code: 2,
    err: 'SECRET_KEY is missing. It has to be the one of the server.\n',
  })
})

test('a database that cannot be reached is no broken log', () => {
  const { code, err } = runScript('audit-verify', [], {
    DATABASE_URL: 'postgres://apposite:secret@127.0.0.1:9/apposite',
    SECRET_KEY: AUDIT_KEY,
  })
  expect([code, err]).toEqual([2, expect.stringContaining('ECONNREFUSED')])
  expect(err).not.toContain('secret')
})

const A43 = 'A'.repeat(43)

test.each([[['5']], [['five', A43]], [['0', A43]], [['5', A43, 'B']], [['5', 'A'.repeat(42)]]])(
  'the head %j is refused',
  (head) => {
    using tree = makeTree({})
    const { code, err } = verify(tree.root, ...head)
    expect(code).toBe(2)
    expect(err).toContain('POSITION')
  },
)

test('does not create a missing database', () => {
  using tree = makeTree({})
  const { code, err } = verify(tree.root)
  expect([code, err]).toEqual([2, 'There is no audit log yet. Start the server once.\n'])
})

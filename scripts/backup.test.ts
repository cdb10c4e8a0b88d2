import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { AUDIT_KEY, auditLog } from '#tests/harness/audit-log.ts'
import { restoreBackup } from './backup.ts'
import { bareEnvironment, makeTree, runScript } from './test/run-script.ts'

const script = fileURLToPath(new URL('./backup.ts', import.meta.url))

const settings = (data: string, key = AUDIT_KEY) => ({ DATA_DIR: data, SECRET_KEY: key })

function run(
  name: 'backup' | 'restore',
  { data, key }: { data: string; key?: string },
  to: string,
) {
  return runScript(name, [to], settings(data, key))
}

function startBackup(data: string, backups: string): ChildProcess {
  return spawn(execPath, [script, backups], { env: { ...bareEnvironment, ...settings(data) } })
}

/** Writes the same number into two rows, as a payment and its visit are written together. */
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

async function readPair({ db }: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('geo_meta')
    .selectAll()
    .where('key', 'in', ['left', 'right'])
    .execute()
  return rows.map(({ value }) => value)
}

/** An installation large enough that copying it takes a while, with a picture and a document. */
async function installation(folder: string): Promise<Database> {
  const { database } = await auditLog(folder)
  for (let row = 0; row < 60; row += 1) {
    const value = randomBytes(500_000).toString('base64')
    await database.db
      .insertInto('geo_meta')
      .values({ key: `filler ${row}`, value })
      .execute()
  }
  await writePair(database, '0')
  for (const [path, text] of [
    ['media/a.webp', 'picture'],
    ['documents/b.sealed', 'sealed'],
  ] as const) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return database
}

const backupsIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

test('a backup during writes is of one moment, and can be restored elsewhere', async () => {
  using tree = makeTree({})
  const [data, backups, other] = ['data', 'backups', 'other'].map((name) => join(tree.root, name))
  if (data === undefined || backups === undefined || other === undefined) throw new Error('three')
  await mkdir(data)
  const database = await installation(data)
  const child = startBackup(data, backups)
  let written = 0
  while (child.exitCode === null) {
    written += 1
    await writePair(database, String(written))
    await sleep(1)
  }
  await database.close()
  expect(child.exitCode).toBe(0)
  const [name = ''] = backupsIn(backups)
  const restored = run('restore', { data: other }, join(backups, name))
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toMatch(/^Restored as it was at \d{4}-\d\d-\d\dT.*: 3 files\./)
  expect(readFileSync(join(other, 'media/a.webp'), 'utf8')).toBe('picture')
  expect(readFileSync(join(other, 'documents/b.sealed'), 'utf8')).toBe('sealed')
  const copy = openDatabase(`sqlite:${join(other, 'apposite.db')}`)
  const pair = await readPair(copy)
  await copy.close()
  expect(pair).toHaveLength(2)
  expect(new Set(pair).size).toBe(1)
  expect(written).toBeGreaterThan(5)
})

test('a killed backup leaves no partial one, and the next one cleans up', async () => {
  using tree = makeTree({})
  const [data, backups] = [join(tree.root, 'data'), join(tree.root, 'backups')]
  await mkdir(data)
  const database = await installation(data)
  const child = startBackup(data, backups)
  while (backupsIn(backups).length === 0) await sleep(1)
  child.kill('SIGKILL')
  await ended(child)
  expect(backupsIn(backups)).toEqual([expect.stringMatching(/^\.unfinished-/)])
  expect(
    run('restore', { data: join(tree.root, 'x') }, join(backups, backupsIn(backups)[0] ?? '')).err,
  ).toMatch(/is not a backup, or is an unfinished one/)
  await writePair(database, 'still writing')
  expect(run('backup', { data }, backups)).toMatchObject({ code: 0, err: '' })
  expect(backupsIn(backups)).toEqual([expect.stringMatching(/^apposite-2\d{3}-/)])
  await database.close()
})

test('a backup with the process id of a killed one, as in containers, cleans up after it', async () => {
  using tree = makeTree({})
  const [data, backups] = [join(tree.root, 'data'), join(tree.root, 'backups')]
  await mkdir(data)
  await (await auditLog(data)).database.close()
  await mkdir(backups)
  // The shell makes the leftover under its own id, and becomes the backup.
  const done = spawnSync(
    'sh',
    ['-c', 'mkdir "$3/.unfinished-$$"; exec "$1" "$2" "$3"', 'sh', execPath, script, backups],
    {
      env: { ...bareEnvironment, ...settings(data) },
      encoding: 'utf8',
    },
  )
  expect([done.status, done.stderr]).toEqual([0, ''])
  expect(backupsIn(backups)).toEqual([expect.stringMatching(/^apposite-2\d{3}-/)])
})

test('refuses to restore beside the log of a database that was moved away', async () => {
  using tree = makeTree({})
  const [data, backups, other] = ['data', 'backups', 'other'].map((name) => join(tree.root, name))
  if (data === undefined || backups === undefined || other === undefined) throw new Error('three')
  await mkdir(data)
  const { database } = await auditLog(data)
  expect(run('backup', { data }, backups).code).toBe(0)
  // What a killed server leaves when only the database is moved.
  await mkdir(other)
  copyFileSync(join(data, 'apposite.db-wal'), join(other, 'apposite.db-wal'))
  await database.close()
  const backup = join(backups, backupsIn(backups)[0] ?? '')
  const refused = run('restore', { data: other }, backup)
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(
    /apposite\.db-wal is there already\. Stop the server and move it away first\.\n$/,
  )
  expect(backupsIn(other)).toEqual(['apposite.db-wal'])
})

test('a restore after a killed one does not take over what that left', async () => {
  using tree = makeTree({})
  const [data, backups, other] = ['data', 'backups', 'other'].map((name) => join(tree.root, name))
  if (data === undefined || backups === undefined || other === undefined) throw new Error('three')
  await mkdir(data)
  const { database } = await auditLog(data)
  expect(run('backup', { data }, backups).code).toBe(0)
  await mkdir(other)
  const add = { key: 'later', value: 'than the backup' }
  await database.db.insertInto('geo_meta').values(add).execute()
  for (const end of ['', '-wal']) {
    copyFileSync(join(data, `apposite.db${end}`), join(other, `apposite.db.restoring${end}`))
  }
  await database.close()
  const backup = join(backups, backupsIn(backups)[0] ?? '')
  expect(run('restore', { data: other }, backup)).toMatchObject({ code: 0, err: '' })
  const copy = openDatabase(`sqlite:${join(other, 'apposite.db')}`)
  const found = await copy.db.selectFrom('geo_meta').select('key').execute()
  await copy.close()
  expect(found).toEqual([])
  expect(backupsIn(other).filter((name) => name.includes('restoring'))).toEqual([])
})

test('a server started during a restore keeps its database', async () => {
  using tree = makeTree({})
  const [data, backups, other] = ['data', 'backups', 'other'].map((name) => join(tree.root, name))
  if (data === undefined || backups === undefined || other === undefined) throw new Error('three')
  await mkdir(data)
  await (await installation(data)).close()
  expect(run('backup', { data }, backups).code).toBe(0)
  const target = join(other, 'apposite.db')
  const restoring = restoreBackup(
    readConfig(settings(other)),
    join(backups, backupsIn(backups)[0] ?? ''),
  )
  const startServer = async () => {
    while (!existsSync(`${target}.restoring`)) await sleep(1)
    writeFileSync(target, 'made meanwhile')
  }
  const [restored] = await Promise.allSettled([restoring, startServer()])
  expect(restored.status === 'rejected' && String(restored.reason)).toContain('is there already')
  expect(readFileSync(target, 'utf8')).toBe('made meanwhile')
  expect(backupsIn(other).filter((name) => name.includes('restoring'))).toEqual([])
})

test('a data folder without a database is an error in words, for a backup too', () => {
  using tree = makeTree({})
  const { code, err } = run('backup', { data: join(tree.root, 'none') }, join(tree.root, 'backups'))
  expect([code, err]).toEqual([1, expect.stringMatching(/^There is no database at .*apposite\.db/)])
  expect(backupsIn(join(tree.root, 'backups'))).toEqual([])
})

test('refuses a damaged backup, another key and an existing database, leaving nothing behind', async () => {
  using tree = makeTree({})
  const [data, backups] = [join(tree.root, 'data'), join(tree.root, 'backups')]
  await mkdir(data)
  const { database } = await auditLog(data)
  await database.close()
  expect(run('backup', { data }, backups).code).toBe(0)
  const backup = join(backups, backupsIn(backups)[0] ?? '')
  const taken = run('restore', { data }, backup)
  expect(taken.code).toBe(1)
  expect(taken.err).toMatch(/is there already\. Stop the server and move it away first\.\n$/)
  const other = join(tree.root, 'other')
  const strange = run('restore', { data: other, key: 'k'.repeat(40) }, backup)
  expect(strange.code).toBe(1)
  expect(strange.err).toMatch(/SECRET_KEY is not the one/)
  expect(backupsIn(other)).toEqual([])
  const file = join(backup, 'apposite.db')
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000)
  writeFileSync(file, bytes)
  const damaged = run('restore', { data: other }, backup)
  expect(damaged.code).toBe(1)
  expect(damaged.err).toMatch(/is not as it was written/)
  expect(backupsIn(other)).toEqual([])
})

test('on Postgres, points to the documentation', () => {
  const { code, err } = runScript('backup', ['anywhere'], {
    DATABASE_URL: 'postgres://localhost/x',
    SECRET_KEY: AUDIT_KEY,
  })
  expect([code, err]).toEqual([1, expect.stringMatching(/docs\/operating\.md/)])
  expect(existsSync('anywhere')).toBe(false)
})

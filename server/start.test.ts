import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import {
  createWithPlaces,
  drawWithPlaces,
  makePostgresDatabase,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { startPostgresProxy } from '#tests/harness/servers/postgres-proxy.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { realEnvironment } from '#tests/harness/servers/server-process.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

type Environment = Record<string, string>

/** A separate server process, which is killed at the end of the test. */
function launch(env: Environment): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...bareEnvironment, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve))
}

/** Waits until the server prints its address; rejects with its output if it exits first. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const address = /ready: (http:\S+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`it exited: ${said}`)))
  })
}

/** Waits until the server prints `words`; rejects with its output if it exits first. */
function waitForOutput(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes(words)) resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`it exited: ${said}`)))
  })
}

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-start-'))
  return {
    path,
    // A server that has just stopped may still be writing.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20 }),
  }
}

async function runToExit(env: Environment): Promise<{ code: number | null; said: string }> {
  const child = launch(env)
  const said = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  child.stdout?.resume()
  return { code: await exitOf(child), said: await said }
}

test('a real installation that is not set up reports everything missing and exits', async () => {
  const { code, said } = await runToExit({ DEMO_MODE: 'off' })
  expect(code).toBe(1)
  expect(said).toContain('Apposite cannot start.')
  for (const name of ['SECRET_KEY', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'SUPPORT_EMAIL']) {
    expect(said).toContain(`${name} is missing.`)
  }
  expect(said).not.toMatch(/ at |node_modules/)
})

test.each([
  ['postgres://apposite:hush@127.0.0.1:1/apposite', 'cannot be reached or written (ECONNREFUSED).'],
  ['sqlite:/nowhere/at/all.db', 'Cannot open database because the directory does not exist.'],
])('a missing database is reported in a sentence: %s', async (url, sentence) => {
  await using folder = await makeFolder()
  const { code, said } = await runToExit({ DATABASE_URL: url, DATA_DIR: folder.path })
  expect(code).toBe(1)
  expect(said).toContain(sentence)
  expect(said).toContain('DATABASE_URL')
  expect(said).not.toMatch(/ at |node_modules|hush/)
})

test('a data folder that cannot be made is reported in a sentence', async () => {
  await using folder = await makeFolder()
  const taken = join(folder.path, 'data')
  await writeFile(taken, '')
  const { code, said } = await runToExit({ DATA_DIR: taken })
  expect(code).toBe(1)
  expect(said).toContain(`DATA_DIR is ${taken}, which cannot be created or written to (EEXIST).`)
  expect(said).not.toMatch(/ at |node_modules/)
})

test('a start waits for a Postgres that is not ready yet', async () => {
  await using folder = await makeFolder()
  const server = inject('postgresUrl')
  const name = `wait_${randomBytes(6).toString('hex')}`
  await createWithPlaces(server, name)
  await using sandbox = await startSandbox({ now: Date.now })
  await using postgres = await startPostgresProxy(server)
  postgres.rejectConnections()
  const child = launch({
    ...(await realEnvironment(sandbox, folder.path)),
    SMTP_URL: 'smtp://127.0.0.1:1',
    DATABASE_URL: postgres.urlOf(name),
    LOG_LEVEL: 'info',
  })
  await waitForOutput(child, 'The database cannot be reached yet')
  postgres.restore()
  await waitForOutput(child, 'Serving')
  const ended = exitOf(child)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await runOnPostgres(server, ({ db }) =>
    sql`drop database ${sql.id(name)} with (force)`.execute(db),
  )
})

test('two processes started concurrently on a new database seed it once, and stop when asked', async () => {
  await using folder = await makeFolder()
  const children = [launch({ DATA_DIR: folder.path }), launch({ DATA_DIR: folder.path })]
  const addresses = await Promise.all(children.map(addressOf))
  for (const address of addresses) {
    const health: unknown = await (await fetch(`${address}/healthz`)).json()
    expect(health).toEqual({ status: 'ok' })
  }
  for (const name of await readdir(folder.path, { recursive: true })) {
    const { mode } = await stat(join(folder.path, name))
    expect([name, (mode & 0o077).toString(8)]).toEqual([name, '0'])
  }
  const database = openDatabase(`sqlite:${folder.path}/apposite.db`)
  const providers = await database.db.selectFrom('providers').select('no').execute()
  await database.close()
  expect(providers).toHaveLength(4_000)
  const taken = await runToExit({
    DATA_DIR: folder.path,
    PORT: new URL(addresses[0] ?? '').port,
  })
  expect(taken.code).toBe(1)
  expect(taken.said).toMatch(/^Port \d+ is taken by another program\./)
  // An address kept for documentation, which no machine has.
  const elsewhere = await runToExit({ DATA_DIR: folder.path, HOST: '203.0.113.9' })
  expect(elsewhere.code).toBe(1)
  expect(elsewhere.said).toMatch(/^This machine has no address 203\.0\.113\.9\./)
  const exits = children.map(exitOf)
  for (const child of children) child.kill('SIGTERM')
  expect(await Promise.all(exits)).toEqual([0, 0])
})

test('a database readable by others is made private at the next start', async () => {
  await using folder = await makeFolder()
  const file = join(folder.path, 'apposite.db')
  await writeFile(file, await drawWithPlaces())
  await chmod(file, 0o644)
  await using sandbox = await startSandbox({ now: Date.now })
  const child = launch({
    ...(await realEnvironment(sandbox, folder.path)),
    SMTP_URL: 'smtp://127.0.0.1:1',
    LOG_LEVEL: 'info',
  })
  await waitForOutput(child, 'Serving')
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  // Wait for the exit before the folder is removed: a running server still writes to it.
  const ended = exitOf(child)
  child.kill('SIGINT')
  await ended
})

test('two processes of a real installation fill a new Postgres database once', async () => {
  await using folder = await makeFolder()
  await using empty = await makePostgresDatabase(inject('postgresUrl'))
  await using sandbox = await startSandbox({ now: Date.now })
  const env = {
    ...(await realEnvironment(sandbox, folder.path)),
    SMTP_URL: 'smtp://127.0.0.1:1',
    DATABASE_URL: empty.url,
    LOG_LEVEL: 'info',
  }
  const children = [launch(env), launch(env)]
  await Promise.all(children.map((child) => waitForOutput(child, 'Serving')))
  const database = openDatabase(empty.url)
  const sectors = await database.db.selectFrom('geo_uk_sectors').select('sector').execute()
  await database.close()
  expect(sectors).toHaveLength(10_847)
  const exits = children.map(exitOf)
  for (const child of children) child.kill('SIGINT')
  expect(await Promise.all(exits)).toEqual([0, 0])
})

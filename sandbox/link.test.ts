import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readFacts, SandboxLink } from './link.ts'

const PROGRAM = fileURLToPath(new URL('../tests/harness/servers/link-child.ts', import.meta.url))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(25)
}

/** A data folder that is removed afterwards, and a sandbox that always ends with the test. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-sandbox-'))
  onTestFinished(async () => {
    const facts = await readFacts(folder)
    if (facts !== null) await until(() => !isAlive(facts.pid))
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

function link(folder: string): SandboxLink {
  const made = new SandboxLink(folder)
  onTestFinished(() => made.stop())
  return made
}

async function pidIn(folder: string): Promise<number> {
  return (await readFacts(folder))?.pid ?? 0
}

/** Another app process, which takes a lease and reports it. */
async function startApp(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return child
}

test('several app processes share one sandbox, which ends with the last of them', async () => {
  const folder = await makeFolder()
  const [one, other] = [link(folder), link(folder)]
  const [first, second] = await Promise.all([one.access(), other.access()])
  expect(second).toEqual(first)
  const pid = await pidIn(folder)
  expect(isAlive(pid)).toBe(true)
  await one.stop()
  await sleep(600)
  expect(isAlive(pid)).toBe(true)
  expect((await fetch(`${first.stripe.base}/sandbox/stripe.js`)).status).toBe(200)
  await other.stop()
  await until(() => !isAlive(pid))
})

test('its address file and its database are readable by their owner only', async () => {
  const folder = await makeFolder()
  await link(folder).access()
  for (const file of ['sandbox.json', 'sandbox.sqlite', 'sandbox.log']) {
    expect([file, (await stat(join(folder, file))).mode & 0o777]).toEqual([file, 0o600])
  }
})

test('a crashed sandbox is restarted with the same keys and data', async () => {
  const folder = await makeFolder()
  const app = link(folder)
  const before = await app.access()
  const pid = await pidIn(folder)
  process.kill(pid, 'SIGKILL')
  await until(async () => {
    const now = await pidIn(folder)
    return now !== pid && isAlive(now)
  })
  const after = await app.access()
  expect(after.stripe.secretKey).toBe(before.stripe.secretKey)
  // The same address too, so that open pages keep working.
  expect(after.stripe.base).toBe(before.stripe.base)
})

test('a killed app process leaves no sandbox behind', async () => {
  const folder = await makeFolder()
  const app = await startApp(folder)
  const pid = await pidIn(folder)
  expect(isAlive(pid)).toBe(true)
  app.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

test('the data outlives the sandbox', async () => {
  const folder = await makeFolder()
  const first = link(folder)
  const { stripe } = await first.access()
  await first.stop()
  const second = link(folder)
  expect((await second.access()).stripe.webhookSecrets).toEqual(stripe.webhookSecrets)
})

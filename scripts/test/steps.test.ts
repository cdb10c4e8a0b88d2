import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Command, countsOf, runStep } from './steps.ts'

function script(source: string, silentSeconds = 600): Command {
  return { command: process.execPath, args: ['-e', source], silentSeconds }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A signalled process ends a moment later, not at once. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (!isAlive(pid)) return true
    await sleep(20)
  }
  return false
}

test('keeps a step’s output and exit code', async () => {
  const outcome = await runStep(script('console.log("out"); console.error("err"); process.exit(3)'))
  expect(outcome).toMatchObject({ code: 3, hung: false })
  expect(outcome.output).toContain('out')
  expect(outcome.output).toContain('err')
})

test('a missing program is a failure, not a crash', async () => {
  const outcome = await runStep({ command: '/nowhere/tool', args: [] })
  expect(outcome.code).toBe(127)
})

test('a silent step is ended with everything it started, also in another process group', async () => {
  const waiting = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const outcome = await runStep(script(waiting, 2))
  expect(outcome).toMatchObject({ code: null, hung: true })
  expect(await isGone(Number.parseInt(outcome.output, 10))).toBe(true)
})

test('processes a step leaves behind are ended', async () => {
  const leaving = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    console.log(child.pid)
    child.unref()
    process.exit(0)`
  const outcome = await runStep(script(leaving))
  expect(outcome.code).toBe(0)
  expect(await isGone(Number.parseInt(outcome.output, 10))).toBe(true)
})

test('a step with output may take as long as it needs', async () => {
  const slow = `const timer = setInterval(() => console.log('still here'), 100)
    setTimeout(() => clearInterval(timer), 3000)`
  expect(await runStep(script(slow, 2))).toMatchObject({ code: 0, hung: false })
})

test('the reporter’s messages arrive at once', async () => {
  const received: unknown[] = []
  const telling = script('process.send({ name: "a", end: "passed" })')
  await runStep({ ...telling, onMessage: (message) => received.push(message) })
  expect(received).toEqual([{ name: 'a', end: 'passed' }])
})

const PASSED = { end: 'passed' } as const
const AGAIN = { end: 'again' } as const
const FAILED = { end: 'failed' } as const

test.each([
  ['passes, one test on retry', 0, [PASSED, AGAIN], { passed: 2, failed: 0 }],
  ['has failed tests', 1, [PASSED, FAILED, FAILED], { passed: 1, failed: 2 }],
  ['ends badly after green tests', 1, [PASSED], { passed: 1, failed: 1 }],
  ['is ended by a signal', null, [PASSED], { passed: 1, failed: 1 }],
  ['runs nothing', 0, [], { passed: 0, failed: 1 }],
] as const)('a runner that %s', (_what, code, ends, counts) => {
  expect(countsOf({ tells: true, code }, ends)).toEqual(counts)
})

test('a check is one test', () => {
  expect(countsOf({ tells: false, code: 0 }, [])).toEqual({ passed: 1, failed: 0 })
  expect(countsOf({ tells: false, code: 2 }, [])).toEqual({ passed: 0, failed: 1 })
})

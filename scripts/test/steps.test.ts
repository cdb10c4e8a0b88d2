import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Command, runStep } from './steps.ts'

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

/** A signalled process is gone a moment later, not at once. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (!isAlive(pid)) return true
    await sleep(20)
  }
  return false
}

test('what a step says and how it ends are kept', async () => {
  const outcome = await runStep(script('console.log("out"); console.error("err"); process.exit(3)'))
  expect(outcome).toMatchObject({ code: 3, hung: false })
  expect(outcome.output).toContain('out')
  expect(outcome.output).toContain('err')
})

test('a program that is not there is a failure and not a crash', async () => {
  const outcome = await runStep({ command: '/nowhere/tool', args: [] })
  expect(outcome.code).toBe(127)
})

test('a step that falls silent is ended together with what it started, also in another process group', async () => {
  const waiting = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const outcome = await runStep(script(waiting, 2))
  expect(outcome).toMatchObject({ code: null, hung: true })
  expect(await isGone(Number.parseInt(outcome.output, 10))).toBe(true)
})

test('what a step leaves behind is ended with it', async () => {
  const leaving = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    console.log(child.pid)
    child.unref()
    process.exit(0)`
  const outcome = await runStep(script(leaving))
  expect(outcome.code).toBe(0)
  expect(await isGone(Number.parseInt(outcome.output, 10))).toBe(true)
})

test('a step that keeps talking takes as long as it needs', async () => {
  const slow = `const timer = setInterval(() => console.log('still here'), 100)
    setTimeout(() => clearInterval(timer), 3000)`
  expect(await runStep(script(slow, 2))).toMatchObject({ code: 0, hung: false })
})

test('what its reporter tells arrives as it happens', async () => {
  const told: unknown[] = []
  const telling = script('process.send({ name: "a", end: "passed" })')
  await runStep({ ...telling, onMessage: (message) => told.push(message) })
  expect(told).toEqual([{ name: 'a', end: 'passed' }])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counts } from '#scripts/test/counts.ts'
import { endAllSteps, type Outcome, runStep } from '#scripts/test/run-step.ts'
import { readingSteps, runningSteps, type Step } from '#scripts/test/steps.ts'

type Result = { step: Step; outcome: Outcome; counts: Counts }

async function carryOut(step: Step): Promise<Result> {
  const outcome = await runStep(step.run)
  const counts = step.count(outcome)
  const mark = counts.failed === 0 ? 'ok  ' : 'FAIL'
  const sum = `${counts.passed} passed, ${counts.failed} failed`
  console.log(`${mark} ${step.name.padEnd(14)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${sum}`)
  for (const name of counts.names ?? []) console.log(`       ${name}`)
  return { step, outcome, counts }
}

let stopping = false

/** Takes the steps in order, `width` at a time, and never stops at a failure. */
async function carryOutAll(steps: Step[], width: number): Promise<Result[]> {
  const results: Result[] = []
  const queue = steps.values()
  const worker = async (): Promise<void> => {
    for (const step of queue) {
      if (stopping) return
      results.push(await carryOut(step))
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}

function printFailure({ step, outcome }: Result): void {
  const why = outcome.timedOut
    ? `ended after ${step.run.limitSeconds} s, its limit`
    : `exit code ${outcome.code ?? 'none: a signal ended it'}`
  console.log(`\n${'─'.repeat(100)}\n${step.name}: ${why}\n`)
  console.log(outcome.output.trim() === '' ? 'It said nothing.' : outcome.output.trim())
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    // The steps end within their grace; a second signal ends this process as it is.
    stopping = true
    console.error(`\nTold to stop (${signal}): ending what runs.`)
    endAllSteps()
  })
}

const folder = await mkdtemp(join(tmpdir(), 'apposite-test-'))
try {
  const read = await carryOutAll(readingSteps(), 2)
  const ran = await carryOutAll(runningSteps(folder), 1)
  const results = [...read, ...ran]
  const failures = results.filter(({ counts }) => counts.failed > 0)
  for (const failure of failures) printFailure(failure)
  const sum = (key: 'passed' | 'failed'): number =>
    results.reduce((total, { counts }) => total + counts[key], 0)
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.map(({ step }) => step.name).join(', ')}`)
  }
  if (failures.length > 0 || stopping) process.exitCode = 1
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

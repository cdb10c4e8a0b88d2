import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from './bootstrap/command-line.mjs'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'
import { TestEnd } from './test/progress-reporter.ts'
import {
  build,
  type Counts,
  checks,
  countsOf,
  endAllSteps,
  type Outcome,
  runStep,
  type Step,
  tests,
} from './test/steps.ts'

/** Linux's file system in memory. */
const MEMORY_FOLDER = '/dev/shm'

/** Tests use a gigabyte there at most, and the machine needs some memory for itself. */
const MIN_FREE_BYTES = 8 * 1024 ** 3

async function makeIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'apposite-test-'))
  // When run as root, Postgres runs as another user, who needs access to its data in this folder.
  await chmod(folder, 0o755)
  return folder
}

/** Whether the folder is mounted executable: Postgres is copied there if its user cannot read the checkout. */
async function runsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  await rm(program)
  return status === 0
}

async function makeInMemory(): Promise<string | null> {
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (Math.min(free, process.availableMemory()) < MIN_FREE_BYTES) return null
  const folder = await makeIn(MEMORY_FOLDER)
  if (await runsPrograms(folder)) return folder
  await rm(folder, { recursive: true })
  return null
}

/**
 * A folder for the temporary files of all tests: in memory where there is enough, because every test on Postgres
 * creates a thousand files.
 */
async function makeTestFolder(): Promise<string> {
  return (await makeInMemory()) ?? makeIn(tmpdir())
}

type Result = { step: Step; outcome: Outcome; counts: Counts; ends: readonly TestEnd[] }

const PROGRESS_EVERY_MS = 15_000
let stopping = false
/** Tests that failed once and passed on retry: a fault in the test or in the product, still to be found. */
const retried: string[] = []

/** Shows the progress of a step until `stop` is called; tests that fail are named at once. */
function showProgress(name: string) {
  const started = performance.now()
  const ends: TestEnd[] = []
  const timer = setInterval(() => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const sum = ends.length > 0 ? `  ${ends.length} tests have ended` : ''
    console.log(`…    ${name.padEnd(14)} ${seconds.padStart(6)} s${sum}`)
  }, PROGRESS_EVERY_MS)
  const onMessage = (message: unknown): void => {
    const { success, data } = TestEnd.safeParse(message)
    if (!success) return
    ends.push(data)
    if (data.end === 'failed') console.log(`FAIL ${name.padEnd(14)} ${data.name}`)
    if (data.end === 'again') retried.push(`${name.padEnd(14)} ${data.name}\n${data.why ?? ''}\n`)
  }
  return { ends, onMessage, stop: () => clearInterval(timer) }
}

async function runOneStep(step: Step, folder: string): Promise<Result> {
  const progress = showProgress(step.name)
  const outcome = await runStep({
    ...step.run,
    // The temporary files of a step are removed when the run ends.
    env: { ...step.run.env, TMPDIR: folder },
    ...(step.tells ? { onMessage: progress.onMessage } : {}),
  })
  progress.stop()
  const { ends } = progress
  const counts = countsOf({ tells: step.tells, code: outcome.code }, ends)
  const mark = counts.failed === 0 ? 'ok  ' : 'FAIL'
  const sum = `${counts.passed} passed, ${counts.failed} failed`
  console.log(`${mark} ${step.name.padEnd(14)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${sum}`)
  return { step, outcome, counts, ends }
}

/** Runs the steps in order, `width` at a time, and never stops at a failure. */
async function runSteps(steps: Step[], width: number, folder: string): Promise<Result[]> {
  const results: Result[] = []
  const queue = steps.values()
  const worker = async (): Promise<void> => {
    for (const step of queue) {
      if (stopping) return
      results.push(await runOneStep(step, folder))
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}

function printFailure({ step, outcome, ends }: Result): void {
  const why = outcome.hung
    ? 'ended because it said nothing for minutes'
    : `exit code ${outcome.code ?? 'none: a signal ended it'}`
  console.log(`\n${'─'.repeat(100)}\n${step.name}: ${why}\n`)
  console.log(outcome.output.trim() === '' ? 'No output.' : outcome.output.trim())
  for (const { name, end } of ends) if (end === 'failed') console.log(`\nfailed: ${name}`)
}

/** Prints the result; returns whether all went well. */
function printResults(results: Result[]): boolean {
  const failures = results.filter(({ counts }) => counts.failed > 0)
  for (const failure of failures) printFailure(failure)
  const sum = (key: 'passed' | 'failed'): number =>
    results.reduce((total, { counts }) => total + counts[key], 0)
  if (retried.length > 0) {
    console.log(`\nPassed only when tried again:\n${retried.join('\n')}`)
  }
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.map(({ step }) => step.name).join(', ')}`)
  }
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  return failures.length === 0 && results.length > 0 && !stopping
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    // The steps end within their grace period; a second signal ends this process at once.
    stopping = true
    console.error(`\nReceived ${signal}: stopping the running steps.`)
    endAllSteps()
  })
}

/** `check` runs what needs no running product, names of steps run only those, no argument runs everything. */
async function main(wanted: readonly string[]): Promise<number> {
  const known = [...checks(), build(), ...tests()].map(({ name }) => name)
  const unknown = wanted.filter((name) => name !== 'check' && !known.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(
      `No such step: ${unknown.join(', ')}. Choose from: check, ${known.join(', ')}.`,
    )
  }
  const isWanted = ({ name }: Step): boolean => wanted.length === 0 || wanted.includes(name)
  const folder = await makeTestFolder()
  try {
    const reading = wanted.includes('check') ? checks() : [...checks(), build()].filter(isWanted)
    const read = await runSteps(reading, 2, folder)
    const ran = await runSteps(tests().filter(isWanted), 1, folder)
    return printResults([...read, ...ran]) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await runCommand(TOOLS.test, ({ words }) => main(words))

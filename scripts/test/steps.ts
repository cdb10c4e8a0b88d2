import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { TestEnd } from './progress-reporter.ts'

/** One program to run. */
export type Command = {
  command: string
  args: string[]
  env?: Record<string, string>
  /** Opens an IPC channel; the program's reporter sends its messages here. */
  onMessage?: (message: unknown) => void
  /** Seconds without output after which the program counts as hung; 10 minutes by default. */
  silentSeconds?: number
}

/** Result of a step. `code` is null when a signal ended it; `output` is stdout and stderr as received. */
export type Outcome = { code: number | null; output: string; seconds: number; hung: boolean }

const SILENT_SECONDS = 600
const GRACE_MS = 10_000
const running = new Set<ChildProcess>()

/** Interrupts a step, as Ctrl-C does, so that it reports and cleans up; then kills whatever is left of it. */
function endStep(child: ChildProcess): void {
  const asked = signalTree(child, 'SIGINT')
  const insist = setTimeout(() => killTree(child, asked), GRACE_MS)
  child.once('exit', () => {
    clearTimeout(insist)
    killTree(child, asked)
  })
}

/** Ends every running step, when the run itself is stopped. */
export function endAllSteps(): void {
  for (const child of running) endStep(child)
}

// However this process ends, no step outlives it.
process.once('exit', () => {
  for (const child of running) killTree(child)
})

/** Runs one program in its own process group, so that nothing it started outlives it. */
export async function runStep(step: Command): Promise<Outcome> {
  const started = performance.now()
  const child = spawn(step.command, step.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(step.onMessage === undefined ? [] : ['ipc' as const])],
    env: { ...process.env, TZ: 'UTC', ...step.env },
  })
  running.add(child)
  let output = ''
  let hung = false
  // There is no limit on the total time: a slow machine is not a fault, minutes of silence are.
  const watchdog = setTimeout(
    () => {
      hung = true
      endStep(child)
    },
    (step.silentSeconds ?? SILENT_SECONDS) * 1000,
  )
  const keep = (text: string): void => {
    watchdog.refresh()
    output += text
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  child.on('message', (message) => {
    watchdog.refresh()
    step.onMessage?.(message)
  })
  child.once('exit', () => killTree(child))
  const code = await exitOf(child, keep)
  clearTimeout(watchdog)
  running.delete(child)
  return { code, output, seconds: (performance.now() - started) / 1000, hung }
}

async function exitOf(child: ChildProcess, say: (text: string) => void): Promise<number | null> {
  try {
    await once(child, 'close')
    return child.exitCode
  } catch (error) {
    say(String(error))
    return 127
  }
}

/** Pids of all descendants of a process, including those that moved to another process group. */
function descendants(root: number): number[] {
  // Not every system has `ps`: then the process group has to do.
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const children = Map.groupBy(
    (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number)),
    ([, parent]) => parent,
  )
  const found: number[] = []
  const queue = [root]
  for (const parent of queue) {
    for (const [pid] of children.get(parent) ?? []) {
      if (pid === undefined || queue.includes(pid)) continue
      found.push(pid)
      queue.push(pid)
    }
  }
  return found
}

/** Signals one process or, for a negative pid, a group; ignores those already gone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/**
 * Signals a step, which ends its own children, and returns all its descendants, for `killTree`. Browsers and
 * the browser tests' server have process groups of their own: once their parent is gone, they cannot be
 * found.
 */
function signalTree({ pid }: ChildProcess, name: NodeJS.Signals): number[] {
  if (pid === undefined) return []
  const below = descendants(pid)
  signal(-pid, name)
  return below
}

/** Kills a step's process group and its descendants, those there now and those in `known`. */
function killTree({ pid }: ChildProcess, known: readonly number[] = []): void {
  if (pid === undefined) return
  for (const one of new Set([...known, ...descendants(pid)])) signal(one, 'SIGKILL')
  signal(-pid, 'SIGKILL')
}

/** A named part of `npm test`. */
export type Step = {
  name: string
  run: Command
  /** Whether its reporter reports every test as it ends; else it is one test, which holds or does not. */
  tells: boolean
}

/** The results of one step. */
export type Counts = { passed: number; failed: number }

/**
 * Counts the tests that a step has told of. An error exit without a failed test, or a step that ran nothing, counts as
 * one failure.
 */
export function countsOf(
  { tells, code }: { tells: boolean; code: Outcome['code'] },
  ends: readonly Pick<TestEnd, 'end'>[],
): Counts {
  const told = ends.filter(({ end }) => end === 'failed').length
  const passed = tells ? ends.length - told : Number(code === 0)
  const isSilent = told === 0 && (code !== 0 || passed === 0)
  return { passed, failed: isSilent ? 1 : told }
}

const modules = join(import.meta.dirname, '..', '..', 'node_modules')
const node = process.execPath

function check(name: string, run: Command): Step {
  return { name, run, tells: false }
}

function tool(name: string, ...args: string[]): Command {
  return { command: join(modules, '.bin', name), args }
}

function script(path: string): Command {
  return { command: node, args: [path] }
}

function vitest(name: string, ...options: string[]): Step {
  const reporter = join(import.meta.dirname, 'progress-reporter.ts')
  const reporters = ['--reporter=dot', `--reporter=${reporter}`]
  const args = [join(modules, 'vitest', 'vitest.mjs'), 'run', ...options, ...reporters]
  return { name, run: { command: node, args, env: { NO_COLOR: '1' } }, tells: true }
}

function playwright(): Step {
  const env = {
    FORCE_COLOR: '0',
    // Kept between runs: Playwright's default is the temporary folder, which is new every time.
    PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(modules, '.cache', 'playwright'),
    NODE_COMPILE_CACHE: join(modules, '.cache', 'compile'),
  }
  return {
    name: 'browser',
    run: { command: node, args: [join(modules, '@playwright', 'test', 'cli.js'), 'test'], env },
    tells: true,
  }
}

/** `npm run check`: everything that can be checked without running the product, the longest first. */
export function checks(): Step[] {
  return [
    check(
      'lint',
      tool('oxlint', '--type-aware', '--report-unused-disable-directives-severity=error'),
    ),
    // One checker for everything: several would repeat shared work, on cores that lint uses.
    check('types', tool('tsc', '--noEmit', '--checkers', '1')),
    check('dead code', tool('knip', '--no-progress')),
    check('format', tool('biome', 'check', '.')),
    check('imports', tool('oxlint', '-c', 'imports.config.ts')),
    check('rooms', script('scripts/boundaries/rooms.ts')),
  ]
}

/** The build: the repository tests look inside the bundle, and the browser tests use it. */
export function build(): Step {
  return check('build', script('scripts/build.ts'))
}

/** The tests; each step keeps two cores busy. */
export function tests(): Step[] {
  return [
    vitest('server', '--project=server', '--project=arch'),
    vitest('components', '--project=spa', `--maxWorkers=${3 * availableParallelism()}`),
    playwright(),
  ]
}

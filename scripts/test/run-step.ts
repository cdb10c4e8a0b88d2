import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** One program to run; `limitSeconds` is when it is ended for taking too long. */
export type Command = {
  command: string
  args: string[]
  limitSeconds: number
  env?: Record<string, string>
}

/** How it went. `code` is null when a signal ended it; `output` is stdout and stderr as they came. */
export type Outcome = { code: number | null; output: string; seconds: number; timedOut: boolean }

const GRACE_MS = 10_000
const running = new Set<ChildProcess>()

/** Signals a program and everything it started; a group that is gone already is no error. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

/** Ends every step that is running now; for when the run itself is told to stop. */
export function endAllSteps(): void {
  for (const child of running) signalGroup(child, 'SIGTERM')
}

/** Runs one program in a process group of its own, so that nothing it started outlives it. */
export async function runStep(step: Command): Promise<Outcome> {
  const started = performance.now()
  const child = spawn(step.command, step.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TZ: 'UTC', NO_COLOR: '1', ...step.env },
  })
  running.add(child)
  let output = ''
  let timedOut = false
  const keep = (text: string): void => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  child.once('exit', () => signalGroup(child, 'SIGKILL'))
  const limit = setTimeout(() => {
    timedOut = true
    signalGroup(child, 'SIGTERM')
    setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref()
  }, step.limitSeconds * 1000)
  const code = await exitOf(child, keep)
  clearTimeout(limit)
  running.delete(child)
  return { code, output, seconds: (performance.now() - started) / 1000, timedOut }
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

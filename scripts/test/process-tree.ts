import { type ChildProcess, spawnSync } from 'node:child_process'

/** Pids of everything below a process, also what has moved to a process group of its own. */
function descendants(root: number): number[] {
  // Not on every system: without it the process group has to do.
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

/** Signals one process or, below zero, one group; that it is gone already is no error. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone.
  }
}

/**
 * Signals a step, which ends its own children as it sees fit, and returns everything below it, for
 * `killTree`. Browsers and the browser tests' server are in groups of their own: once their parent is
 * gone nothing leads to them.
 */
export function signalTree({ pid }: ChildProcess, name: NodeJS.Signals): number[] {
  if (pid === undefined) return []
  const below = descendants(pid)
  signal(-pid, name)
  return below
}

/** Kills a step's process group and everything below it, now or when `known` was read. */
export function killTree({ pid }: ChildProcess, known: readonly number[] = []): void {
  if (pid === undefined) return
  for (const one of new Set([...known, ...descendants(pid)])) signal(one, 'SIGKILL')
  signal(-pid, 'SIGKILL')
}

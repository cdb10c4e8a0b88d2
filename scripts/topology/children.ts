import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const children = new Map<ChildProcess, NodeJS.Signals>()
/** Whether nothing may be started any more. */
let isShuttingDown = false

/** Ends the children that still run when this process exits, for whatever reason. */
function endChildren(): void {
  for (const [child, signal] of children) child.kill(signal)
}

/** Ends a process with this one at the latest, by `signal`. */
export function endWithParent(child: ChildProcess, signal: NodeJS.Signals): ChildProcess {
  if (children.size === 0) process.once('exit', endChildren)
  children.set(child, signal)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endChildren)
  })
  if (isShuttingDown) child.kill(signal)
  return child
}

/** Ends all of them now, and any that are started later. Resolves when they are gone. */
export async function endAll(): Promise<void> {
  isShuttingDown = true
  endChildren()
  while (children.size > 0) {
    await Promise.all([...children.keys()].map((child) => once(child, 'exit')))
  }
}

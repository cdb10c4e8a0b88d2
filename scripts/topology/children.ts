import type { ChildProcess } from 'node:child_process'

const children = new Map<ChildProcess, NodeJS.Signals>()

/** Whoever is still there when this process ends, for whatever reason, ends with it. */
function endChildren(): void {
  for (const [child, signal] of children) child.kill(signal)
}

/** Lets a process end with this one at the latest, by `signal`. */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals): ChildProcess {
  if (children.size === 0) process.once('exit', endChildren)
  children.set(child, signal)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endChildren)
  })
  return child
}

import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/** Ticks per second in the kernel's counters, independent of its timer frequency. */
const TICKS_PER_SECOND = 100

type Stat = { parent: number; ticks: number; ofEnded: number }

/** Null for a process that has ended. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name before it may contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (n: number) => Number(fields[n])
    return { parent: field(1), ticks: field(11) + field(12), ofEnded: field(13) + field(14) }
  } catch {
    return null
  }
}

/**
 * CPU time in seconds of a process and its children, including those that have ended; null on systems other
 * than Linux, which do not report it.
 */
export function cpuSeconds(pid: number): number | null {
  const own = platform() === 'linux' ? statOf(pid) : null
  if (own === null) return null
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return stat?.parent === pid ? [stat.ticks] : []
  })
  return children.reduce((sum, ticks) => sum + ticks, own.ticks + own.ofEnded) / TICKS_PER_SECOND
}

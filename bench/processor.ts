import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/** Ticks a second of the kernel's counts, whatever it runs at. */
const TICKS = 100

type Stat = { parent: number; ticks: number; ofEnded: number }

/** A process that has ended meanwhile has none. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (n: number) => Number(fields[n])
    return { parent: field(1), ticks: field(11) + field(12), ofEnded: field(13) + field(14) }
  } catch {
    return null
  }
}

/**
 * Seconds of processor time a process and its children have taken so far, ended ones included; null where
 * the system does not tell, which only Linux does.
 */
export function processorSeconds(pid: number): number | null {
  const own = platform() === 'linux' ? statOf(pid) : null
  if (own === null) return null
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return stat?.parent === pid ? [stat.ticks] : []
  })
  return children.reduce((sum, ticks) => sum + ticks, own.ticks + own.ofEnded) / TICKS
}

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { basename } from 'node:path'

/** Resident memory of a process in MB: in total, and by kind where the system reports it. */
export type Memory = { total: number; kinds: ReadonlyMap<string, number> }

/** The header line of a mapping in `/proc/<pid>/smaps`, with its path or name. */
const MAPPING = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ \S+ *(.*)$/

function kindOf(name: string): string {
  if (name === '') return 'anonymous'
  if (name === '[heap]') return 'C library'
  if (name.startsWith('[')) return 'rest'
  if (name.endsWith('.db')) return 'database file'
  if (/\.(?:node|so)\b/.test(name)) return 'libraries'
  return basename(name) === 'node' ? 'node' : 'rest'
}

function byKind(smaps: string): Map<string, number> {
  const kinds = new Map<string, number>()
  let kind = 'rest'
  for (const line of smaps.split('\n')) {
    const name = MAPPING.exec(line)?.[1]
    if (name !== undefined) kind = kindOf(name)
    const kilobytes = /^Rss: *(\d+)/.exec(line)?.[1]
    if (kilobytes === undefined) continue
    kinds.set(kind, (kinds.get(kind) ?? 0) + Number(kilobytes) / 1_024)
  }
  return kinds
}

/** Resident memory of a process. By kind only on Linux. */
export function memoryOf(pid: number | undefined): Memory {
  if (process.platform === 'linux') {
    const kinds = byKind(readFileSync(`/proc/${pid}/smaps`, 'utf8'))
    return { total: [...kinds.values()].reduce((sum, one) => sum + one, 0), kinds }
  }
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])
  return { total: Number(kilobytes.toString()) / 1_024, kinds: new Map() }
}

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

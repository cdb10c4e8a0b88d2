import { Worker } from 'node:worker_threads'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { type BusyTimes, CalendarError } from './busy-times.ts'
import type { CalendarView } from './entry-reader.ts'

export type WorkerAnswer = { found: BusyTimes } | { failure: CalendarError['failure'] }

export type ReadLimits = {
  /** Time limit once the worker is ready. */
  ms: number
  memoryMb: number
}

const LIMITS: ReadLimits = { ms: 2_000, memoryMb: 36 }

/** A worker has to load the parser first, which on a busy machine takes a while. */
const START_TIMEOUT_MS = 20_000

/** Each worker can occupy a whole core. */
const semaphore = new Semaphore({ running: 1, waiting: 100 })

function runWorker(
  file: string | Uint8Array<ArrayBuffer>,
  view: CalendarView,
  limits: ReadLimits,
): Promise<BusyTimes> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./calendar-worker.ts', import.meta.url), {
      workerData: { bytes, view },
      // Moved, not copied. Those of a short text may share their memory with others.
      transferList: bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 4 },
    })
    const stop = (act: () => void) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      // Errors during termination are ignored.
      worker.on('error', () => undefined)
      void worker.terminate().then(act)
    }
    const tooComplex = () => stop(() => reject(new CalendarError('too_complex')))
    let timer = setTimeout(tooComplex, START_TIMEOUT_MS)
    worker.on('message', (answer: 'ready' | WorkerAnswer) => {
      if (answer === 'ready') {
        clearTimeout(timer)
        timer = setTimeout(tooComplex, limits.ms)
      } else if ('found' in answer) stop(() => resolve(answer.found))
      else stop(() => reject(new CalendarError(answer.failure)))
    })
    // Includes running out of memory or stack.
    worker.on('error', tooComplex)
    worker.on('exit', tooComplex)
  })
}

/**
 * Busy times of a calendar file, read in a worker thread that is terminated after two seconds or at a heap of 36 MB.
 * Throws `CalendarError`.
 */
export function readCalendar(
  file: string | Uint8Array<ArrayBuffer>,
  view: CalendarView,
  limits: ReadLimits = LIMITS,
): Promise<BusyTimes> {
  return semaphore.pass(() => runWorker(file, view, limits))
}

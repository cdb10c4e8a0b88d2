import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { busyTimesIn, CalendarError } from './busy-times.ts'
import { decodeCalendar } from './calendar-lines.ts'
import type { WorkerAnswer } from './read-calendar.ts'

const Task = z.object({
  bytes: z.instanceof(Uint8Array),
  view: z.object({
    from: z.number(),
    until: z.number(),
    timeZone: z.string(),
    skipsAllDay: z.boolean(),
  }),
})

function read(): WorkerAnswer {
  const { bytes, view } = Task.parse(workerData)
  try {
    return { found: busyTimesIn(decodeCalendar(bytes), view) }
  } catch (error) {
    if (error instanceof CalendarError) return { failure: error.failure }
    throw error
  }
}

function postAnswer(answer: 'ready' | WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer)
}

postAnswer('ready')
postAnswer(read())

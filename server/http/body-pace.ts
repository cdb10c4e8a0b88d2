import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How slowly a request may come, and its answer be read, before the other side is cut off. */
export type Pace = {
  /** Every body has this long. */
  graceMs: number
  /** Whoever sends so much has more time: a picture from a phone on a bad line is not an attack. */
  bytesPerSecond: number
  /** How often is looked, in milliseconds. */
  everyMs: number
  /** A socket over which nothing goes for so long, in either direction, is closed. */
  silentMs: number
}

/** 4 kB a second is a tenth of what the slowest phone networks carry. */
export const PACE: Pace = {
  graceMs: 15_000,
  bytesPerSecond: 4_096,
  everyMs: 1_000,
  silentMs: 60_000,
}

type Body = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  beganAt: number
  /** What the socket had read before. */
  before: number
}

/** Milliseconds a body may take by now. Once there is an answer, sending on earns no more time. */
function allowance({ incoming, outgoing, before }: Body, pace: Pace): number {
  if (outgoing.writableEnded) return pace.graceMs
  return pace.graceMs + ((incoming.socket.bytesRead - before) / pace.bytesPerSecond) * 1_000
}

type Answer = { outgoing: ServerResponse; socket: Socket; endedAt: number; bytes: number }

/** Milliseconds an answer may take to be read, from when all of it was written. */
function reading({ bytes }: Answer, { graceMs, bytesPerSecond }: Pace): number {
  return graceMs + (bytes / bytesPerSecond) * 1_000
}

/**
 * Watches answers on their way and destroys the sockets of those who read them too slowly: however large
 * an answer is, it would be kept in memory for them. `stop` ends the watch.
 */
export function watchAnswers(pace: Pace) {
  const answers = new Set<Answer>()
  const timer = setInterval(() => {
    for (const answer of answers) {
      const { outgoing, socket, endedAt } = answer
      if (outgoing.writableFinished || socket.destroyed) {
        answers.delete(answer)
      } else if (performance.now() - endedAt > reading(answer, pace)) {
        answers.delete(answer)
        socket.destroy()
      }
    }
  }, pace.everyMs).unref()
  return {
    watch(outgoing: ServerResponse, socket: Socket): void {
      const before = socket.bytesWritten
      outgoing.once('prefinish', () => {
        if (outgoing.writableFinished) return
        const bytes = socket.bytesWritten - before
        answers.add({ outgoing, socket, endedAt: performance.now(), bytes })
      })
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Watches bodies on their way and hands `cut` the sockets of those that come too slowly: at once all
 * of it for a short time, then a minimum rate. `stop` ends the watch.
 */
export function watchBodies(pace: Pace, cut: (socket: Socket) => void) {
  const bodies = new Set<Body>()
  function look(): void {
    for (const body of bodies) {
      const { incoming, beganAt } = body
      if (incoming.complete || incoming.destroyed) {
        bodies.delete(body)
      } else if (performance.now() - beganAt > allowance(body, pace)) {
        bodies.delete(body)
        cut(incoming.socket)
      }
    }
  }
  const timer = setInterval(look, pace.everyMs).unref()
  return {
    watch(incoming: IncomingMessage, outgoing: ServerResponse): void {
      const { headers, socket } = incoming
      const isLong = headers['transfer-encoding'] !== undefined
      if (!isLong && (headers['content-length'] ?? '0') === '0') return
      bodies.add({ incoming, outgoing, beganAt: performance.now(), before: socket.bytesRead })
    },
    stop: () => clearInterval(timer),
  }
}

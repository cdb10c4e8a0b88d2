import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How slowly a client may send a request or read a response before it is cut off. */
export type Pace = {
  /** Time that every body is allowed. */
  graceMs: number
  /**
   * Minimum rate: a body that arrives at least this fast may take as long as it needs, because a picture on a
   * bad phone line is not an attack.
   */
  bytesPerSecond: number
  /** Interval of the checks, in milliseconds. */
  everyMs: number
  /** A socket without traffic in either direction for this long is closed. */
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
  /** Bytes the socket had read before this body. */
  before: number
}

/** Milliseconds a body may take so far. Once the response is written, further bytes earn no more time. */
function allowedBodyMs({ incoming, outgoing, before }: Body, pace: Pace): number {
  if (outgoing.writableEnded) return pace.graceMs
  return pace.graceMs + ((incoming.socket.bytesRead - before) / pace.bytesPerSecond) * 1_000
}

type Answer = { outgoing: ServerResponse; socket: Socket; endedAt: number; bytes: number }

/** Milliseconds a client may take to read a response, from when all of it was written. */
function allowedReadMs({ bytes }: Answer, { graceMs, bytesPerSecond }: Pace): number {
  return graceMs + (bytes / bytesPerSecond) * 1_000
}

/**
 * Watches responses in progress and destroys sockets that are read too slowly, because an unread response
 * stays in memory. `stop` ends the watch.
 */
export function watchAnswers(pace: Pace) {
  const answers = new Set<Answer>()
  const timer = setInterval(() => {
    for (const answer of answers) {
      const { outgoing, socket, endedAt } = answer
      if (outgoing.writableFinished || socket.destroyed) {
        answers.delete(answer)
      } else if (performance.now() - endedAt > allowedReadMs(answer, pace)) {
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
 * Watches bodies in progress and passes `cut` the sockets of those that arrive too slowly: after a grace
 * period, a minimum rate applies. `stop` ends the watch.
 */
export function watchBodies(pace: Pace, cut: (socket: Socket) => void) {
  const bodies = new Set<Body>()
  function checkBodies(): void {
    for (const body of bodies) {
      const { incoming, beganAt } = body
      if (incoming.complete || incoming.destroyed) {
        bodies.delete(body)
      } else if (performance.now() - beganAt > allowedBodyMs(body, pace)) {
        bodies.delete(body)
        cut(incoming.socket)
      }
    }
  }
  const timer = setInterval(checkBodies, pace.everyMs).unref()
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

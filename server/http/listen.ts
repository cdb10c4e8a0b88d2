import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { randomText } from '#server/kernel/ids.ts'
import type { App } from './app.ts'
import { securityHeaderList } from './security-headers.ts'

/** How slowly a client may send a request or read a response before it is cut off. */
type Pace = {
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
const PACE: Pace = {
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
function watchAnswers(pace: Pace) {
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
function watchBodies(pace: Pace, cut: (socket: Socket) => void) {
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

type HeaderMap = Record<string, string>

/** Slow clients are cut off: Node's defaults let them hold a socket for minutes. */
const OPTIONS = {
  headersTimeout: 10_000,
  // `watchBodies` cuts slow ones; this is a fallback.
  requestTimeout: 30 * 60_000,
  connectionsCheckingInterval: 1_000,
  // Node would refuse a missing Host header itself, without our headers.
  requireHostHeader: false,
}

/** On shutdown, running requests get this long to finish. */
const GRACE_MS = 10_000

/** One call of `closeIdleConnections` misses sockets that become idle a moment later. */
const IDLE_SWEEP_MS = 50

export type Listening = {
  port: number
  /** Stops accepting connections, lets running requests finish, then closes the rest. */
  stop(): Promise<void>
}

const EXPECTATION = 'ERR_EXPECTATION'

type Refusal = { status: number; code: ErrorCode; headers?: HeaderMap }

const TWO_HOSTS = 'ERR_TWO_HOSTS'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The responses to input that is not valid HTTP, by the parser's error code. */
const refusals: Record<string, Refusal> = {
  HPE_INVALID_METHOD: {
    status: 405,
    code: 'method_not_allowed',
    headers: { allow: 'GET, HEAD, POST' },
  },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'body_too_large' },
  [TIMEOUT]: { status: 408, code: 'invalid_input' },
  [EXPECTATION]: { status: 417, code: 'invalid_input' },
}

/** RFC 9112, 3.2: Node would take the first and drop the others, where a proxy may have taken the last. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length > 1
}

function failureBody(code: ErrorCode): string {
  const requestId = randomText(10)
  return JSON.stringify({
    status: false,
    error: errorMessage(code),
    code,
    request_id: requestId,
  })
}

/** Responds on the bare socket: an unreadable request has no response object. */
function refuseOnSocket(error: NodeJS.ErrnoException, socket: Duplex, base: HeaderMap): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusals[error.code ?? ''] ?? { status: 400, code: 'invalid_input' as const }
  const body = failureBody(refusal.code)
  const headers: HeaderMap = {
    ...base,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    ...refusal.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const reason = STATUS_CODES[refusal.status] ?? 'Bad Request'
  const answer = `HTTP/1.1 ${refusal.status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
  // `end` closes only our half; a client that never closes would keep the other half open.
  socket.end(answer, () => socket.destroy())
}

function makeStop(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      server.close(() => {
        clearInterval(sweep)
        clearTimeout(grace)
        resolve()
      })
      server.closeIdleConnections()
    })
}

async function makeServer(app: App, config: Config, pace: Pace): Promise<Server> {
  const base = await securityHeaderList(config)
  const listener = getRequestListener(
    (request, env) =>
      app.fetch(request, 'socket' in env.incoming ? (env.incoming.socket.remoteAddress ?? '') : ''),
    {
      // The request line or Host header forms no valid URL.
      errorHandler: () =>
        new Response(failureBody('invalid_input'), {
          status: 400,
          headers: {
            ...base,
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
          },
        }),
    },
  )
  const refuse = (code: string, socket: Duplex) => {
    refuseOnSocket(Object.assign(new Error(code), { code }), socket, base)
  }
  const bodies = watchBodies(pace, (socket) => refuse(TIMEOUT, socket))
  const answers = watchAnswers(pace)
  const server = createServer(OPTIONS, (incoming, outgoing) => {
    if (hasTwoHosts(incoming)) return refuse(TWO_HOSTS, incoming.socket)
    bodies.watch(incoming, outgoing)
    answers.watch(outgoing, incoming.socket)
    void listener(incoming, outgoing)
  })
  // Also covers clients that connect and send nothing, or never read the response.
  server.setTimeout(pace.silentMs)
  server.on('close', bodies.stop)
  server.on('close', answers.stop)
  // By default Node drops CONNECT silently, and answers Expect without our headers.
  server.on('connect', (_incoming, socket) => refuse('HPE_INVALID_METHOD', socket))
  server.on('checkExpectation', ({ socket }) => refuse(EXPECTATION, socket))
  server.on('clientError', (error, socket) => refuseOnSocket(error, socket, base))
  return server
}

/** Serves the app on a port; 0 picks a free one. Rejects when the port is taken. */
export async function listen(app: App, config: Config, pace = PACE): Promise<Listening> {
  const server = await makeServer(app, config, pace)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, () => {
      server.removeListener('error', reject)
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : config.port
      resolve({ port, stop: makeStop(server) })
    })
  })
}

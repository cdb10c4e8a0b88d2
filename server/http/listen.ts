import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '#contract/errors.ts'
import { errorMessage } from '#contract/sentences.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { randomText } from '#server/kernel/ids.ts'
import type { App } from './app.ts'
import { PACE, type Pace, watchAnswers, watchBodies } from './body-pace.ts'
import { securityHeaderList } from './security-headers.ts'

type HeaderMap = Record<string, string>

/** Slow clients are cut off: Node's defaults let them hold a socket for minutes. */
const OPTIONS = {
  headersTimeout: 10_000,
  // `body-pace.ts` cuts slow bodies; this is a fallback.
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

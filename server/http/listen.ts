import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { randomText } from '#server/kernel/ids.ts'
import type { App } from './app.ts'
import { PACE, type Pace, watchAnswers, watchBodies } from './body-pace.ts'
import { securityHeaderList } from './security-headers.ts'

type HeaderMap = Record<string, string>

/** Slow callers are cut: the defaults let them hold a socket for minutes. */
const OPTIONS = {
  headersTimeout: 10_000,
  // `body-pace.ts` is what cuts slow bodies; this is for what nobody has thought of.
  requestTimeout: 30 * 60_000,
  connectionsCheckingInterval: 1_000,
  // Without a Host header Node answers by itself, and without our headers: we refuse it instead.
  requireHostHeader: false,
}

/** Requests under way when asked to stop get this long to end. */
const GRACE_MS = 10_000

/** One call of `closeIdleConnections` misses sockets that become idle a moment later. */
const IDLE_SWEEP_MS = 50

export type Listening = {
  port: number
  /** Takes no new connection, lets requests under way end, then closes what is left. */
  stop(): Promise<void>
}

const EXPECTATION = 'ERR_EXPECTATION'

type Refusal = { status: number; code: ErrorCode; headers?: HeaderMap }

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** What a request that is not even HTTP gets, by the parser's error code. */
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
    error: sentenceFor(code),
    code,
    request_id: requestId,
  })
}

/** Answers on the bare socket: there is no response object for a request that could not be read. */
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
  // Ending is only half: a caller who never closes would keep the other half for ever.
  socket.end(answer, () => socket.destroy())
}

function stopper(server: Server): () => Promise<void> {
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
      // The address line or Host header made no URL.
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
  // Also whoever connects and says nothing, and whoever asks and then reads nothing.
  server.setTimeout(pace.silentMs)
  server.on('close', bodies.stop)
  server.on('close', answers.stop)
  // Left to itself Node hangs up on the one without a word, and answers the other without our headers.
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
      resolve({ port, stop: stopper(server) })
    })
  })
}

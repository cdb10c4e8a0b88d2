import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, obey } from './control.ts'
import { Failure } from './failure.ts'
import { type CallFault, SLOW_MS } from './faults.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'
import { LEASE_PATH } from './leases.ts'
import { answerPage } from './pages.ts'
import { answerPaypal, isPaypalPath } from './paypal-api.ts'
import type { Sandbox } from './sandbox.ts'
import { answerStripe, isStripePath } from './stripe-api.ts'

const BODY_LIMIT = 262_144
/** How often time is let pass and due webhooks are sent. */
const TICK_MS = 500

const CONTROL_PATH = '/_sandbox/control'

async function readAsked(request: IncomingMessage): Promise<Asked | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) return null
    size += chunk.length
    if (size > BODY_LIMIT) return null
    chunks.push(chunk)
  }
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const,
  )
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  return {
    method: request.method ?? 'GET',
    path,
    query,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function write(response: ServerResponse, { status, headers, body }: Answered): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const FAILED: Partial<Record<CallFault, [number, string]>> = {
  error_500: [500, 'An unknown error occurred.'],
  conflict_409: [
    409,
    'This object cannot be accessed right now because another request is using it.',
  ],
  too_many_429: [429, 'Request rate limit exceeded.'],
}

/** What a failed call is answered, in the shape both packages can read. */
function failed(status: number, message: string): Answered {
  const error = { type: 'api_error', message }
  return jsonAnswer(status, {
    error,
    name: 'INTERNAL_SERVER_ERROR',
    message,
    debug_id: 'fault',
    links: [],
  })
}

/** A 500 that came after Stripe began to act is the answer of its key from then on. */
function keepFailure({ desk }: Sandbox, asked: Asked): Answered {
  const failure = failed(500, 'An unknown error occurred.')
  const key = asked.headers['idempotency-key']
  const kept = answerStripe(desk, asked)
  if (key === undefined) return kept
  const before = desk.store.kept(`stripe ${key}`)
  if (before !== undefined)
    desk.store.keep(`stripe ${key}`, { ...before, status: 500, body: String(failure.body) })
  return failure
}

function answerApi({ desk }: Sandbox, asked: Asked): Answered {
  if (isStripePath(asked.path)) return answerStripe(desk, asked)
  if (isPaypalPath(asked.path)) return answerPaypal(desk, asked)
  return jsonAnswer(404, {
    error: { type: 'invalid_request_error', message: 'Unrecognized request URL.' },
  })
}

/** A call of either protocol, with whatever is to go wrong; null drops the connection. */
async function callApi(sandbox: Sandbox, asked: Asked): Promise<Answered | null> {
  const fault = sandbox.faults.take(asked.method, asked.path)
  if (fault === 'drop_before') return null
  if (fault === 'slow') await sleep(SLOW_MS)
  if (fault === 'error_500_kept') return keepFailure(sandbox, asked)
  const [status, message] = (fault === null ? undefined : FAILED[fault]) ?? []
  if (status !== undefined && message !== undefined) return failed(status, message)
  const answered = answerApi(sandbox, asked)
  sandbox.listen?.(asked, answered)
  void sandbox.deliveries.run()
  return fault === 'drop_after' ? null : answered
}

async function control(sandbox: Sandbox, asked: Asked): Promise<Answered> {
  if (asked.headers['authorization'] !== `Bearer ${sandbox.desk.keys.control}`) {
    return jsonAnswer(401, { error: 'The control key is wrong.' })
  }
  const command = Command.safeParse(JSON.parse(asked.body))
  if (!command.success) return jsonAnswer(400, { error: command.error.message })
  await obey(sandbox, command.data)
  return jsonAnswer(200, { done: true })
}

/** An answer without an end: whoever holds it uses the sandbox. */
function lease(sandbox: Sandbox, asked: Asked, response: ServerResponse): void {
  if (asked.headers['authorization'] !== `Bearer ${sandbox.desk.keys.control}`) {
    write(response, jsonAnswer(401, { error: 'The control key is wrong.' }))
    return
  }
  const origin = new URLSearchParams(asked.query).get('origin') ?? ''
  const end = sandbox.leases.take(origin)
  response.on('close', end)
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.write('yours\n')
  void sandbox.deliveries.run()
}

async function answer(sandbox: Sandbox, asked: Asked): Promise<Answered | null> {
  if (asked.path === CONTROL_PATH) return control(sandbox, asked)
  if (/^\/sandbox(\/|$)/.test(asked.path)) {
    const page = await answerPage(sandbox, asked)
    if (asked.method === 'POST') void sandbox.deliveries.run()
    return page
  }
  return callApi(sandbox, asked)
}

async function serve(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = await readAsked(request)
  if (asked === null) {
    write(response, jsonAnswer(413, { error: 'The body is too large.' }))
    return
  }
  if (asked.path === LEASE_PATH) {
    lease(sandbox, asked, response)
    return
  }
  try {
    const answered = await answer(sandbox, asked)
    if (answered === null) request.socket.destroy()
    else write(response, answered)
  } catch (error) {
    const { status, body } =
      error instanceof Failure ? error : { status: 500, body: { error: 'The sandbox failed.' } }
    if (!(error instanceof Failure))
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    write(response, jsonAnswer(status, body))
  }
}

export type Serving = { port: number; stop(): Promise<void> }

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Serves a sandbox on this machine alone. `port` 0 picks a free one; rejects when it is taken. */
export function serveSandbox(sandbox: Sandbox, port: number): Promise<Serving> {
  // The app keeps its connections longer than Node would by itself.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    serve(sandbox, request, response).catch(() => request.socket.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const timer = setInterval(() => {
        sandbox.tick()
        void sandbox.deliveries.run()
      }, TICK_MS)
      resolve({
        port: portOf(server),
        stop: () =>
          new Promise((done) => {
            clearInterval(timer)
            server.close(() => done())
            server.closeAllConnections()
          }),
      })
    })
  })
}

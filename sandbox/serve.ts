import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { httpDate, now } from '#server/kernel/clock.ts'
import { OverCapError, readCapped } from '#server/kernel/wire/read-capped.ts'
import { callApi, type Outcome } from './calls.ts'
import { Command, runCommand } from './control.ts'
import { Failure } from './failure.ts'
import { jsonResponse, type SandboxRequest, type SandboxResponse } from './http-messages.ts'
import { LEASE_PATH, readFacts, writeFacts } from './link.ts'
import { handlePage } from './pages.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { TakenError } from './store.ts'

const BODY_LIMIT = 262_144
/** How often the clock is applied and due webhooks are sent. */
const TICK_MS = 500

const CONTROL_PATH = '/_sandbox/control'

async function readRequest(request: IncomingMessage): Promise<SandboxRequest | null> {
  const body = await readCapped(request, { maxBytes: BODY_LIMIT }).catch((error: unknown) => {
    if (error instanceof OverCapError) return null
    throw error
  })
  if (body === null) return null
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const,
  )
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  return {
    method: request.method ?? 'GET',
    path,
    query,
    headers: Object.fromEntries(headers),
    body: body.toString('utf8'),
  }
}

/** Every response carries the sandbox's date, so that callers can compute the offset of their clock. */
function dateOf({ ctx }: Sandbox): { date: string } {
  return { date: httpDate(ctx.now()) }
}

function write(sandbox: Sandbox, response: ServerResponse, answered: SandboxResponse): void {
  const { status, headers, body } = answered
  const length = { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...dateOf(sandbox), ...length })
  response.end(body)
}

/** Undefined, which is no command, for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function control(sandbox: Sandbox, request: SandboxRequest): Promise<SandboxResponse> {
  if (request.headers['authorization'] !== `Bearer ${sandbox.ctx.keys.control}`) {
    return jsonResponse(401, { error: 'The control key is wrong.' })
  }
  const command = Command.safeParse(parsed(request.body))
  if (!command.success) return jsonResponse(400, { error: command.error.message })
  const made = await runCommand(sandbox, command.data)
  return jsonResponse(200, { done: true, made })
}

/** A response without an end: a caller uses the sandbox for as long as it holds it open. */
function lease(sandbox: Sandbox, request: SandboxRequest, response: ServerResponse): void {
  if (request.headers['authorization'] !== `Bearer ${sandbox.ctx.keys.control}`) {
    write(sandbox, response, jsonResponse(401, { error: 'The control key is wrong.' }))
    return
  }
  const origin = new URLSearchParams(request.query).get('origin') ?? ''
  const end = sandbox.leases.take(origin)
  response.on('close', end)
  response.writeHead(200, { 'content-type': 'text/plain', ...dateOf(sandbox) })
  response.write('yours\n')
  void sandbox.deliveries.run()
}

async function answer(sandbox: Sandbox, asked: SandboxRequest): Promise<Outcome> {
  if (asked.path === CONTROL_PATH) return control(sandbox, asked)
  if (/^\/sandbox(\/|$)/.test(asked.path)) {
    const page = await handlePage(sandbox, asked)
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
  const asked = await readRequest(request)
  if (asked === null) {
    write(sandbox, response, jsonResponse(413, { error: 'The body is too large.' }))
    return
  }
  if (asked.path === LEASE_PATH) {
    lease(sandbox, asked, response)
    return
  }
  try {
    const answered = await answer(sandbox, asked)
    // A call that hangs keeps its connection until the caller gives up or the sandbox stops.
    if (answered === 'hanging') return
    if (answered === 'dropped') request.socket.destroy()
    else write(sandbox, response, answered)
  } catch (error) {
    const { status, body } =
      error instanceof Failure ? error : { status: 500, body: { error: 'The sandbox failed.' } }
    if (!(error instanceof Failure))
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    write(sandbox, response, jsonResponse(status, body))
  }
}

export type SandboxServer = { port: number; stop(): Promise<void> }

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Serves a sandbox on localhost only. `port` 0 picks a free one; rejects when the port is taken. */
export function serveSandbox(sandbox: Sandbox, port: number): Promise<SandboxServer> {
  // The app keeps connections alive longer than Node's default.
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

/** The sandbox ends this long after the last app process has gone … */
const IDLE_SHUTDOWN_MS = 300
/** … or after this, when the process that started it never connected. */
const NEVER_USED_MS = 10_000
const CHECK_MS = 100

function tryOpenSandbox(dataDir: string): Sandbox | null {
  try {
    return openSandbox({ file: join(dataDir, 'sandbox.sqlite'), now })
  } catch (error) {
    // Another process was faster: it serves, and whoever started this one will find it.
    if (error instanceof TakenError) return null
    throw error
  }
}

/** Listens on the previous port, so that open pages keep working; otherwise on any. */
async function listen(sandbox: Sandbox, dataDir: string): Promise<SandboxServer> {
  const before = await readFacts(dataDir)
  try {
    return await serveSandbox(sandbox, before?.port ?? 0)
  } catch {
    return serveSandbox(sandbox, 0)
  }
}

/**
 * The sandbox as a program: serves the store of a data folder until nobody uses it any more. App processes
 * hold a lease that ends with them however they end, so nothing is left running.
 */
export async function runSandbox(dataDir: string): Promise<void> {
  // The store holds the keys: nobody else on this machine may read it.
  process.umask(0o077)
  const sandbox = tryOpenSandbox(dataDir)
  if (sandbox === null) return
  const serving = await listen(sandbox, dataDir)
  await writeFacts(dataDir, sandbox.ctx.keys, serving.port)
  const stop = () => {
    clearInterval(timer)
    void serving.stop().then(() => sandbox.close())
  }
  const timer = setInterval(() => {
    const { leases } = sandbox
    if (leases.emptyFor() > (leases.wasUsed() ? IDLE_SHUTDOWN_MS : NEVER_USED_MS)) stop()
  }, CHECK_MS)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * A real installation of one worker's browser tests (`DEMO_MODE=off`) as a program: the server behind a proxy that
 * ends TLS, a mail server that keeps what it gets, and a sandbox in place of both gateways' hosts. Prints an
 * `Installation` as a line of JSON once it is up, and ends with its standard input.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as call, createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdin, stdout } from 'node:process'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { drawWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import {
  freePort,
  realEnvironment,
  ServerProcess,
  waitUntil,
} from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

/** What the tests are told of it. */
export type Installation = {
  /** Public address, `https://localhost:…`. */
  url: string
  /** Answers `/emails?to=` with the emails to an address. */
  control: string
  /** The server's environment, for the commands of an operator. */
  env: Record<string, string>
  /** The printed link with which its first superuser is made. */
  startLink: string
  /** A provider with free times from the day after tomorrow on. */
  providerId: string
  /** The first of these times. */
  startsAt: string
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const read = (name: string) => readFile(join(import.meta.dirname, name))

/** Adds the provider to the database of a server that is not running yet. */
async function addProvider(file: string): Promise<Pick<Installation, 'providerId' | 'startsAt'>> {
  const database = openDatabase(`sqlite:${file}`)
  try {
    await using testApp = await makeTestApp({ database, newId, clock: Date.now })
    const first = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 2 * DAY_MS
    const slots = Array.from({ length: 40 }, (_, at) => first + at * HOUR_MS)
    const { id: providerId } = await makeProvider(testApp, { slots })
    return { providerId, startsAt: new Date(first).toISOString() }
  } finally {
    await database.close()
  }
}

/**
 * Ends TLS as an operator's proxy does, and says who called. Pages of the gateways' hosts come from the sandbox, whose
 * scripts expect them below the site's own address.
 */
async function startProxy(port: number, upstreams: { site: number; sandbox: number }) {
  const [key, cert] = await Promise.all([read('localhost.key.pem'), read('localhost.cert.pem')])
  const proxy = createHttps({ key, cert }, (incoming, response) => {
    const { method, headers, socket, url: path = '/' } = incoming
    const chain = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ')
    const upstream = call({
      port: path.startsWith('/sandbox/') ? upstreams.sandbox : upstreams.site,
      host: '127.0.0.1',
      method,
      path,
      headers: { ...headers, 'x-forwarded-for': chain, 'x-forwarded-proto': 'https' },
    })
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve))
  return { [Symbol.dispose]: () => proxy.close().closeAllConnections() }
}

const START_LINK = /https:\/\/localhost:\d+\/admin-start#[\w-]{43}/

async function main(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    stdin.resume().once('end', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await using ends = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'apposite-e2e-real-'))
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const post = ends.use(await startSmtpServer())
  const [sitePort, proxyPort, controlPort] = [await freePort(), await freePort(), await freePort()]
  const sandbox = ends.use(
    await startSandbox({
      now: Date.now,
      deliver: async (hook) => {
        const init = { method: 'POST', headers: hook.headers, body: await hook.text() }
        return fetch(`http://127.0.0.1:${sitePort}${new URL(hook.url).pathname}`, init)
      },
    }),
  )
  const file = join(folder, 'apposite.db')
  await writeFile(file, await drawWithPlaces())
  const offer = await addProvider(file)
  const url = `https://localhost:${proxyPort}`
  const env = {
    ...(await realEnvironment(sandbox, folder)),
    PUBLIC_URL: url,
    SMTP_URL: post.url,
    TRUSTED_PROXIES: '127.0.0.1,::1',
  }
  const server = ends.use(new ServerProcess({ ...env, LOG_LEVEL: 'warn' }, sitePort))
  await server.start()
  const sandboxPort = Number(new URL(sandbox.baseUrl).port)
  ends.use(await startProxy(proxyPort, { site: sitePort, sandbox: sandboxPort }))
  const control = createHttp((request, response) => {
    const to = new URL(request.url ?? '/', url).searchParams.get('to')
    const found = post.received.filter((one) => to !== null && one.to.includes(to))
    response.end(JSON.stringify(found.map(({ email: { subject, text } }) => ({ subject, text }))))
  })
  await new Promise<void>((resolve) => control.listen(controlPort, '127.0.0.1', resolve))
  ends.defer(() => control.close().closeAllConnections())
  await waitUntil(() => START_LINK.test(server.output))
  const installation: Installation = {
    ...offer,
    url,
    control: `http://127.0.0.1:${controlPort}`,
    env,
    startLink: START_LINK.exec(server.output)?.[0] ?? '',
  }
  stdout.write(`${JSON.stringify(installation)}\n`)
  await stopped
}

await main()

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Hold } from '#contract/booking.ts'
import { WalletStart } from '#contract/payments.ts'
import { openDatabase } from '#db/engine.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { makeAccount, PASSWORD, signedInAs } from '#tests/harness/accounts.ts'
import { drawWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import {
  freePort,
  realEnvironment,
  ServerProcess,
  waitUntil,
} from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import { newId } from './kernel/ids.ts'

const DAY = 86_400_000
const PURPOSE = 'A cough that will not go away'
const PARENT = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }

const Tokens = z.object({ tokens: z.object({ access_token: z.string() }) })

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-traces-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20 }),
  }
}

/** Books one visit, from sign-in to payment; returns the values that must not appear in a trace. */
async function bookVisitThroughApi(testApp: TestApp, server: ServerProcess, sandbox: TestSandbox) {
  const start = Math.ceil(Date.now() / DAY) * DAY + 3 * DAY
  const providerId = await makeProviderWithSlots(testApp, [{ start, minutes: 30 }])
  const account = await makeAccount(testApp, { first_name: 'Zebedee', last_name: 'Quillfeather' })
  const input = { email: account.email, password: PASSWORD, user_type: account.kind }
  const { tokens } = Tokens.parse(await server.act('auth.signIn', input))
  const { access_token: token } = tokens
  await server.ask('search.providers', { postcode: 'SE1 6ET', specialty: 'gp' })
  const startsAt = new Date(start).toISOString()
  const hold = Hold.parse(await server.act('booking.hold', { providerId, startsAt }, token))
  await verifyCode({ ...signedInAs(testApp.services, account), now: Date.now }, hold.id)
  const shown = hold.fees.first_visit
  const about = { typeOfVisit: 'first_visit', purposeForVisit: PURPOSE, shown }
  const started = await server.act('payments.startWallet', { holdId: hold.id, ...about }, token)
  const { orderId } = WalletStart.parse(started)
  sandbox.approve(orderId)
  await server.act('payments.capture', { orderId }, token)
  return [account.email, account.id, token, PASSWORD, hold.id, orderId, providerId]
}

/** The names of a span and its ancestors, outermost first. */
function pathOf(span: ReceivedSpan, spans: ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathOf(parent, spans)), span.name]
}

test('a booking’s trace has its request, procedure, statements and gateway calls, without personal data', async () => {
  await using folder = await makeFolder()
  await using receiver = await startTraceReceiver()
  await using sandbox = await startSandbox({ now: Date.now })
  await using post = await startSmtpServer()
  await writeFile(join(folder.path, 'apposite.db'), await drawWithPlaces())
  const database = openDatabase(`sqlite:${join(folder.path, 'apposite.db')}`)
  try {
    await using testApp = await makeTestApp({ database, newId, clock: Date.now })
    const env = {
      ...(await realEnvironment(sandbox, folder.path)),
      SMTP_URL: post.url,
      TRUSTED_PROXIES: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }
    const port = await freePort()
    await using server = new ServerProcess(env, port)
    await server.start()
    const secrets = await bookVisitThroughApi(testApp, server, sandbox)
    const site = `http://127.0.0.1:${port}`
    const traceparent = `00-${PARENT.trace}-${PARENT.span}-01`
    await fetch(`${site}/api/doctors/zebedee@quillfeather.example?postcode=SE1+6ET`, {
      headers: { traceparent },
    })
    await waitUntil(() => post.received.length > 0)
    await server.stop()

    const spans = receiver.spans()
    const paths = spans.map((span) => pathOf(span, spans).join(' > '))
    for (const path of [
      'POST /trpc/*',
      'POST /trpc/* > booking.hold',
      'POST /trpc/* > booking.hold > db insert',
      'POST /trpc/* > payments.capture > paypal.capture',
      'GET /trpc/* > search.providers',
    ]) {
      expect(paths).toContain(path)
    }
    expect(paths.filter((path) => /^job outbox-mails > mail\.send$/.test(path))).not.toEqual([])
    const hold = spans.find(({ name }) => name === 'booking.hold')
    expect(hold?.attributes).toContainEqual({
      key: 'apposite.outcome',
      value: { stringValue: 'ok' },
    })
    // A trace started by the proxy continues here.
    const ofProxy = spans.find(({ parentSpanId }) => parentSpanId === PARENT.span)
    expect(ofProxy).toMatchObject({ traceId: PARENT.trace, name: 'GET /api/doctors/:id' })

    const traces = receiver.text()
    for (const secret of secrets) expect(traces).not.toContain(secret)
    expect(traces).not.toMatch(/zebedee|quillfeather|SE1|6ET|cough|020 7946|1988-04-17/i)
    expect(receiver.received.every(({ path }) => path === '/v1/traces')).toBe(true)
  } finally {
    await database.close()
  }
})

/** Prints when OpenTelemetry's SDK is loaded; the metrics library loads only its API. */
const SDK_LOAD_HOOK = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (name.includes('opentelemetry/sdk')) process.stdout.write('loaded ' + name + '\\n')
  return next(name, context)
} })`

test('OpenTelemetry is loaded only with its variables, and sends protobuf', async () => {
  await using folder = await makeFolder()
  await using receiver = await startTraceReceiver()
  await using sandbox = await startSandbox({ now: Date.now })
  await writeFile(join(folder.path, 'apposite.db'), await drawWithPlaces())
  const env = {
    ...(await realEnvironment(sandbox, folder.path)),
    SMTP_URL: 'smtp://127.0.0.1:9',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SDK_LOAD_HOOK)}`,
  }
  await using off = new ServerProcess(env, await freePort())
  await off.start()
  await off.stop()
  expect(off.output).not.toContain('loaded')

  const to = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces` }
  await using disabled = new ServerProcess(
    { ...env, ...to, OTEL_SDK_DISABLED: 'true' },
    await freePort(),
  )
  await disabled.start()
  await disabled.stop()
  expect(disabled.output).not.toContain('loaded')
  expect(receiver.received).toEqual([])

  await using on = new ServerProcess({ ...env, ...to }, await freePort())
  await on.start()
  // Remaining spans are exported on shutdown.
  await on.stop()
  expect(on.output).toContain('loaded @opentelemetry/sdk-node')
  expect(receiver.received.map(({ type }) => type)).toContain('application/x-protobuf')
  expect(receiver.text()).toContain('GET /healthz')
})

const Value = z.object({
  stringValue: z.optional(z.string()),
  intValue: z.optional(z.union([z.int(), z.string()])),
})

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: Value })),
  status: z.object({ code: z.optional(z.int()) }),
})

const Sent = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** A span as received. */
export type ReceivedSpan = z.infer<typeof Span>

/** A trace collector on a free local port, which speaks OTLP over HTTP. */
export async function startTraceReceiver() {
  const received: { path: string; type: string; body: Buffer }[] = []
  const server = createServer((request, response) => {
    const take = async () => {
      const { url = '', headers } = request
      const body = await buffer(request)
      received.push({ path: url, type: headers['content-type'] ?? '', body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    void take()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    /** All received bodies as text. */
    text: () => received.map(({ body }) => body.toString('latin1')).join('\n'),
    /** The spans of all bodies received as JSON. */
    spans: (): ReceivedSpan[] =>
      received
        .map(({ body }) => Sent.parse(JSON.parse(body.toString())))
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

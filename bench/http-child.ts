import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SearchFilters } from '#contract/search.ts'
import { openDatabase } from '#db/engine.ts'
import type { Services } from '#server/context.ts'
import { makeDocuments } from '#server/gateways/documents.ts'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import { makePictures } from '#server/gateways/pictures.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { makeApp } from '#server/http/app.ts'
import { listen } from '#server/http/listen.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeBackground } from '#server/kernel/limits/semaphore.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeOutboxSignal } from '#server/kernel/outbox.ts'
import { makePasswords } from '#server/kernel/security/passwords.ts'
import { makeSecrets, makeVault } from '#server/kernel/security/secrets.ts'
import { makeMetrics, NO_TRACING } from '#server/kernel/telemetry.ts'
import { searchProviders } from '#server/search/search-providers.ts'
import { NOW } from './data.ts'

/**
 * A process that serves one search twice: through the product's whole server, and through bare node:http
 * around the same use case. Prints both ports as one line of JSON and serves until it is killed.
 */
const [, , file = ''] = process.argv
const database = openDatabase(`sqlite:${file}`)

const config = readConfig({ PORT: '0', DATA_DIR: '.cache/bench/none' })

const secrets = makeSecrets(Buffer.alloc(32, 7))

const services: Services = {
  database,
  now: () => NOW,
  newId,
  chance: () => 0.5,
  log: makeLog({ level: 'error', style: 'json' }),
  config,
  gateways: makeGateways({ ...config, now: () => NOW, sandbox: null }),
  // The measurement sends as many requests as possible from one client on one address.
  limiter: {
    take: () => ({ allowed: true }),
    check: () => ({ allowed: true }),
    lift: () => {},
    isLifted: () => true,
    markExhausted: () => {},
    exhaustedFor: () => 0,
  },
  background: makeBackground(0),
  mail: { send: () => Promise.resolve('kept') },
  outbox: makeOutboxSignal(),
  metrics: makeMetrics(),
  tracing: NO_TRACING,
  secrets,
  vault: makeVault([Buffer.alloc(32, 7)]),
  passwords: makePasswords(),
  pictures: makePictures('.cache/bench/none'),
  documents: makeDocuments('.cache/bench/none', secrets),
  outsideCalendars: { read: () => Promise.resolve({ kind: 'unchanged' }) },
  registers: makeRegisters({
    urls: config.registers,
    table: () => Promise.resolve(null),
    now: () => NOW,
  }),
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const input: unknown = JSON.parse(url.searchParams.get('input') ?? '{}')
  const data = await searchProviders(services, SearchFilters.parse(input))
  const body = JSON.stringify({ result: { data } })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const bare = createServer((request, response) => void answer(request, response))

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

const product = await listen(makeApp(services), services.config)
bare.listen(0, '127.0.0.1', () => {
  const ports = { product: product.port, bare: portOf(bare.address()) }
  process.stdout.write(`${JSON.stringify(ports)}\n`)
})

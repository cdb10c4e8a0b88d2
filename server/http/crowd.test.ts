import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { freePort, realEnvironment, ServerProcess } from '#tests/harness/servers/server-process.ts'

const CONNECTIONS = 50
/** Requests per connection: together one and a half times the rate limit. */
const REQUESTS = 18

const SEARCH = `/trpc/search.providers?input=${encodeURIComponent('{"postcode":"SE1 6ET","specialty":"gp"}')}`

let folder: string
let port: number
let sandbox: TestSandbox
let server: ServerProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apposite-crowd-'))
  port = await freePort()
  await writeFile(join(folder, 'apposite.db'), await drawWithPlaces())
  sandbox = await startSandbox({ now: Date.now })
  const env = {
    ...(await realEnvironment(sandbox, folder)),
    SMTP_URL: 'smtp://127.0.0.1:1',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  server = new ServerProcess(env, port)
  await server.start()
})

afterAll(async () => {
  await server.kill()
  await sandbox[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

type Asked = { path: string; network: string; agent: Agent }

/** Sends one request and reads the whole response; returns its status and duration in milliseconds. */
function ask({ path, network, agent }: Asked): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': network, 'accept-encoding': 'br' }
    const request = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - began })
      })
    })
    request.once('error', reject)
  })
}

/** Fifty connections of one network request a path repeatedly, as fast as responses arrive. */
async function floodPath(path: string, network: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const statuses: number[] = []
  const one = async () => {
    for (let count = 0; count < REQUESTS; count += 1) {
      statuses.push((await ask({ path, network, agent })).status)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  agent.destroy()
  return statuses
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

test.each([
  ['/openapi.json', '203.0.113.2'],
  ['/home', '203.0.113.4'],
  ['/results?postcode=SE1+6ET&specialty=gp&region=uk', '203.0.113.5'],
  ['/healthz', '203.0.113.6'],
])(
  'fifty connections for %s are held to a budget, and others are answered',
  async (path, network) => {
    const other = network.replace('203.0.113', '198.51.100')
    const over = new AbortController()
    const flood = floodPath(path, network).finally(() => over.abort())
    const agent = new Agent({ keepAlive: true, maxSockets: 2 })
    const waits: { health: number; search: number }[] = []
    while (!over.signal.aborted) {
      const [health, search] = await Promise.all([
        ask({ path: '/healthz', network: other, agent }),
        ask({ path: SEARCH, network: other, agent }),
      ])
      expect([health.status, search.status]).toEqual([200, 200])
      waits.push({ health: health.ms, search: search.ms })
      await sleep(50)
    }
    agent.destroy()
    const statuses = await flood
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    // Under a second on a machine of its own. Here it shares two cores with the other tests; waiting behind
    // all 900 requests would take far longer.
    expect(median(waits.map(({ health }) => health))).toBeLessThan(5_000)
    expect(median(waits.map(({ search }) => search))).toBeLessThan(5_000)
  },
)

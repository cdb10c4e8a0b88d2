import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics } from 'prom-client'
import { describe, expect, test, vi } from 'vitest'
import { MAX_LAG_MS } from '#db/replica.ts'
import { createCaller } from '#server/app-router.ts'
import type { Services } from '#server/context.ts'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import { deliverOutbox } from '#server/jobs/deliver-outbox.ts'
import { startJobs } from '#server/jobs/loop.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { MAX_ATTEMPTS } from '#server/kernel/outbox.ts'
import { makeMetrics } from '#server/kernel/telemetry.ts'
import { makePaidVisit } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { fires, readScrape, type Scrape } from '#tests/harness/promql.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertRefund } from '#tests/harness/visits.ts'
import { makeApp } from './app.ts'
import { listen } from './listen.ts'

const FILE = join(import.meta.dirname, '../../deploy/alerts.yml')

/** Every rule's expression by the name of its alert. */
const RULES = new Map(
  readFileSync(FILE, 'utf8')
    .split('- alert: ')
    .slice(1)
    .map((rule) => {
      const [, expression = ''] =
        /\n {8}expr: (?:\|\n)?([\s\S]+?)\n {8}(?:for|labels):/.exec(rule) ?? []
      return [rule.slice(0, rule.indexOf('\n')), expression]
    }),
)

/** What Prometheus scrapes from a process, over a socket; `up` tells whether the scrape worked. */
async function scrape(services: Services, at: number): Promise<Scrape> {
  const site = await listen(makeApp(services), { ...services.config, host: '127.0.0.1', port: 0 })
  try {
    return await scrapeAt(site.port, at)
  } finally {
    await site.stop()
  }
}

async function scrapeAt(port: number, at: number): Promise<Scrape> {
  const told = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    async (response) => (response.ok ? response.text() : null),
    () => null,
  )
  const up = `up{job="apposite"} ${told === null ? 0 : 1}`
  return readScrape(`${told ?? ''}\n${up}`, at)
}

function firing(scrapes: readonly [Scrape, Scrape]): string[] {
  return [...RULES].filter(([, rule]) => fires(rule, scrapes)).map(([alert]) => alert)
}

type FaultContext = { testApp: TestApp; services: Services }

/** Causes a fault; returns seconds to add to the time of the next scrape, as if they had passed. */
type Fault = (at: FaultContext) => Promise<number | void>

const MINUTE = 60

/** The alerts that fire before the fault, and after it has lasted a minute. */
async function alertsBeforeAndDuring(
  fault: Fault,
  testApp: TestApp,
): Promise<[string[], string[]]> {
  const { services } = testApp
  const search = () =>
    testApp
      .caller()
      .search.providers({ postcode: 'SE1 6ET' })
      .catch(() => null)
  // The first search loads and prepares what later ones reuse.
  await search()
  const calm = startJobs(services, [{ name: 'calm', everyMs: 1, run: () => Promise.resolve() }])
  const now = () => Date.now() / 1_000
  const first = await scrape(services, now())
  await search()
  await sleep(20)
  await calm.stop()
  const second = await scrape(services, now() + MINUTE)
  const later = (await fault({ testApp, services })) ?? 0
  const third = await scrape(services, now() + 2 * MINUTE + later)
  return [firing([first, second]), firing([second, third])]
}

const EVENT = {
  gateway: 'stripe' as const,
  type: 'checkout.session.completed',
  object: null,
  body: '{}',
  received_at: 0,
  processed_at: null,
  tries: 0,
  due_at: 0,
}

const MESSAGE = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

/** The mail server responds, but refuses this email. */
const refuse = () => {
  const why = Object.assign(new Error('no such mailbox'), { code: 'EENVELOPE', responseCode: 550 })
  return Promise.reject(new UpstreamError('The mail server', why))
}

/** The mail server puts an email off (a 4xx reply): for one address, or for all. */
const putOff = { code: 'EENVELOPE', responseCode: 451 }

/** Nobody can be emailed: the mail server is down, or refuses our password. */
const unavailable = {
  down: { code: 'ECONNREFUSED' },
  locked: { code: 'EAUTH', responseCode: 535 },
}

/** Tries every five minutes for so many minutes, in vain. */
async function tryInVain({ testApp, services }: FaultContext, minutes: number, why: object) {
  const send = () => {
    const error = Object.assign(new Error('no mail server'), why)
    return Promise.reject(new UpstreamError('The mail server', error))
  }
  for (let passed = 0; passed < minutes; passed += 5) {
    testApp.advance(5 * 60_000)
    await deliverOutbox({ ...services, mail: { send } })
  }
}

/** Blocks the event loop for `ms` milliseconds. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const FAULTS: Record<string, Fault> = {
  AppositeCallsFail: async ({ testApp }) => {
    await testApp.database.close()
    await testApp
      .caller()
      .search.providers({ postcode: 'SE1 6ET' })
      .catch(() => null)
  },
  AppositeSearchSlow: async ({ testApp }) => {
    const { limiter } = testApp.services
    const take: typeof limiter.take = (...asked) => {
      block(700)
      return limiter.take(...asked)
    }
    const slow = { ...testApp.context(), limiter: { ...limiter, take } }
    await createCaller(slow)
      .search.providers({ postcode: 'SE1 6ET' })
      .catch(() => null)
  },
  AppositeEventLoopBlocked: async () => {
    await sleep(20)
    block(1_500)
    await sleep(20)
  },
  AppositeGatewayFails: async ({ services }) => {
    const { config, now, metrics } = services
    const gateways = makeGateways({ ...config, now, sandbox: null, metrics })
    for (let tries = 0; tries < 30; tries += 1) {
      await expect(gateways.stripe.listDisputes(0)).rejects.toThrow('did not answer')
    }
  },
  AppositeWebhooksWait: async ({ testApp }) => {
    const events = Array.from({ length: 101 }, (_, at) => ({ ...EVENT, id: `evt_${at}` }))
    await testApp.database.db.insertInto('gateway_events').values(events).execute()
  },
  AppositeWebhookSignatures: async ({ services }) => {
    const app = makeApp(services)
    for (let sent = 0; sent < 11; sent += 1) {
      const request = new Request('http://localhost:3000/webhooks/stripe', {
        method: 'POST',
        body: '{}',
      })
      expect((await app.fetch(request, '127.0.0.1')).status).toBe(400)
    }
  },
  AppositeOutboxWaits: async ({ testApp }) => {
    await testApp.caller().messages.contact(MESSAGE)
    testApp.advance(16 * 60_000)
  },
  AppositeOutboxFails: async ({ testApp, services }) => {
    for (let sent = 0; sent < 6; sent += 1) {
      await testApp.caller().messages.contact(MESSAGE)
      // More than the hourly limit of one network.
      testApp.advance(3_600_000)
    }
    await deliverOutbox({ ...services, mail: { send: refuse } })
  },
  AppositeOutboxStuck: async (at) => {
    await at.testApp.caller().messages.contact(MESSAGE)
    await tryInVain(at, 65, unavailable.down)
  },
  AppositeOutboxGivenUp: async ({ testApp, services }) => {
    await testApp.caller().messages.contact(MESSAGE)
    await testApp.database.db
      .updateTable('outbox')
      .set({ attempts: MAX_ATTEMPTS - 1 })
      .execute()
    await deliverOutbox({ ...services, mail: { send: refuse } })
  },
  // The job hangs: it neither fails nor succeeds.
  AppositeJobStands: async () => 7_300,
  AppositeJobFails: async ({ services }) => {
    let runs = 0
    const run = () => {
      runs += 1
      return Promise.reject(new Error('no luck'))
    }
    // A job that has never succeeded since the start has no time of its last success.
    const jobs = startJobs(services, [{ name: 'odd', everyMs: 1, run }])
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2))
    await jobs.stop()
  },
  AppositePaymentsInReview: async ({ testApp }) => {
    await testApp.database.db.updateTable('payments').set({ state: 'review' }).execute()
  },
  AppositeRefundsFail: async ({ testApp }) => {
    const { db } = testApp.database
    const { no } = await db.selectFrom('payments').select('no').executeTakeFirstOrThrow()
    const failed = { reason: 'slot_lost', state: 'failed', failure: 'charge_disputed' } as const
    await insertRefund(testApp, { no, minor: 6_000 }, failed)
  },
  AppositeStrangersRefused: async ({ testApp }) => {
    const minute = Math.floor(testApp.services.now() / 60_000)
    const row = { network: '203.0.113.9', path: '/trpc', code: 'forbidden', count: 5_001, minute }
    await testApp.database.db.insertInto('stranger_denials').values(row).execute()
  },
}

describe('an alert fires for its fault, and for nothing while all is well', () => {
  test.each(Object.keys(FAULTS))('%s', async (alert) => {
    await using visit = await makePaidVisit()
    const { registry: register } = visit.testApp.services.metrics
    // Only here: on a busy machine every event loop is blocked at times.
    if (alert === 'AppositeEventLoopBlocked') collectDefaultMetrics({ register })
    const [before, after] = await alertsBeforeAndDuring(
      FAULTS[alert] ?? (async () => {}),
      visit.testApp,
    )
    expect([before, after]).toEqual([[], [alert]])
  })

  test('AppositeDown', async () => {
    await using testApp = await makeTestApp()
    const { services } = testApp
    const site = await listen(makeApp(services), { ...services.config, host: '127.0.0.1', port: 0 })
    const alive = await scrapeAt(site.port, 0)
    await site.stop()
    const gone = await scrapeAt(site.port, MINUTE)
    expect(firing([alive, alive])).not.toContain('AppositeDown')
    expect(firing([alive, gone])).toContain('AppositeDown')
  })

  test('AppositeReplicaBehind', async () => {
    await using testApp = await makeTestApp()
    let lag = MAX_LAG_MS / 2
    const replica = {
      db: testApp.database.db,
      lagMs: () => lag,
      isFresh: () => lag <= MAX_LAG_MS,
      measure: () => Promise.resolve(),
      leave: () => {},
    }
    const database = { ...testApp.database, replica }
    const services = { ...testApp.services, database, metrics: makeMetrics() }
    const close = await scrape(services, 0)
    lag = MAX_LAG_MS + 1_000
    const behind = await scrape(services, MINUTE)
    expect(firing([close, close])).not.toContain('AppositeReplicaBehind')
    expect(firing([close, behind])).toContain('AppositeReplicaBehind')
  })

  test('a delivery that is made after all is no new failure', () => {
    const [two, one] = ['2', '1'].map((count, at) =>
      readScrape(`apposite_outbox_failed ${count}`, at * MINUTE),
    )
    if (two === undefined || one === undefined) throw new Error('No scrapes')
    expect(firing([two, one])).toEqual([])
    expect(firing([one, two])).toEqual(['AppositeOutboxGivenUp'])
  })

  test('one address that refuses its email for hours wakes nobody', async () => {
    await using testApp = await makeTestApp()
    const { services } = testApp
    await testApp.caller().messages.contact(MESSAGE)
    const scrapes: Scrape[] = []
    for (let quarter = 0; quarter < 12; quarter += 1) {
      testApp.advance(15 * 60_000)
      await deliverOutbox({ ...services, mail: { send: refuse } })
      scrapes.push(await scrape(services, quarter * 15 * MINUTE))
    }
    const alerts = scrapes.slice(1).flatMap((next, at) => firing([scrapes[at] ?? next, next]))
    expect(alerts).toEqual([])
  })

  test.each(['down', 'locked'] as const)(
    'one email waiting for over an hour pages while the mail server is %s',
    async (how) => {
      await using testApp = await makeTestApp()
      const { services } = testApp
      await testApp.caller().messages.contact(MESSAGE)
      await tryInVain({ testApp, services }, 55, unavailable[how])
      const early = await scrape(services, 0)
      await tryInVain({ testApp, services }, 10, unavailable[how])
      const late = await scrape(services, 10 * MINUTE)
      await deliverOutbox(services)
      testApp.advance(2 * 3_600_000)
      await deliverOutbox(services)
      const over = await scrape(services, 130 * MINUTE)
      expect(firing([early, early])).toEqual([])
      expect(firing([early, late])).toEqual(['AppositeOutboxStuck'])
      expect(firing([late, over])).toEqual([])
    },
  )

  test('a mail server that puts every email off for an hour pages, for two addresses', async () => {
    await using testApp = await makeTestApp()
    const { services } = testApp
    const { id: providerId } = await makeProvider(testApp)
    for (const to of [{}, { providerId }]) {
      await testApp.caller().messages.contact({ ...MESSAGE, ...to })
    }
    await tryInVain({ testApp, services }, 55, putOff)
    const early = await scrape(services, 0)
    await tryInVain({ testApp, services }, 10, putOff)
    const late = await scrape(services, 10 * MINUTE)
    expect(firing([early, early])).toEqual([])
    expect(firing([early, late])).toEqual(['AppositeOutboxStuck'])
  })

  test('an email that is put off for hours pages nobody alone, nor two while others are accepted', async () => {
    await using testApp = await makeTestApp()
    const { services } = testApp
    await testApp.caller().messages.contact(MESSAGE)
    await tryInVain({ testApp, services }, 65, putOff)
    const alone = await scrape(services, 0)
    await testApp.caller().messages.contact(MESSAGE)
    await tryInVain({ testApp, services }, 65, putOff)
    await testApp.database.db
      .updateTable('outbox')
      .set({ due_at: services.now() + 600_000 })
      .execute()
    await testApp.caller().messages.contact(MESSAGE)
    await deliverOutbox(services)
    const accepted = await scrape(services, 65 * MINUTE)
    expect(firing([alone, alone])).toEqual([])
    expect(firing([accepted, accepted])).toEqual([])
  })

  test('every rule has its fault here', () => {
    expect([...RULES.keys()].toSorted()).toEqual(
      ['AppositeDown', 'AppositeReplicaBehind', ...Object.keys(FAULTS)].toSorted(),
    )
    for (const expression of RULES.values()) expect(expression).not.toBe('')
  })

  test('Prometheus reads the rules, where its tool is installed', () => {
    const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', FILE], {
      encoding: 'utf8',
    })
    expect([error === undefined ? status : 0, stderr ?? '']).toEqual([0, ''])
  })
})

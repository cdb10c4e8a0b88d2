import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { toJson } from '#db/columns.ts'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import { type App, makeApp, makeOperatorApp } from '#server/http/app.ts'
import { insertMail } from '#server/messages/store.ts'
import { makePaidVisit } from '#tests/harness/payment-fixture.ts'
import { procedurePaths } from '#tests/harness/procedures.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertRefund } from '#tests/harness/visits.ts'
import { startJobs } from './loop.ts'

async function ask(app: App, path: string): Promise<{ status: number; text: string }> {
  const response = await app.fetch(new Request(`http://localhost:3000${path}`), '127.0.0.1')
  return { status: response.status, text: await response.text() }
}

/** The lines of one metric in `/metrics`. */
async function linesOf({ services }: TestApp, name: string): Promise<string[]> {
  const { text } = await ask(makeApp(services), '/metrics')
  return text.split('\n').filter((line) => line.startsWith(`apposite_${name}`))
}

test('every call is counted by procedure and outcome', async () => {
  await using testApp = await makeTestApp()
  await expect(testApp.caller().audit.list({})).rejects.toThrow('Sign in to continue.')
  await expect(testApp.caller().audit.list({})).rejects.toThrow('Sign in to continue.')
  expect(await linesOf(testApp, 'calls_total')).toContain(
    'apposite_calls_total{call="audit.list",outcome="sign_in_required"} 2',
  )
  expect(await linesOf(testApp, 'call_seconds_count')).toContain(
    'apposite_call_seconds_count{call="audit.list"} 2',
  )
})

test('labels hold nothing that a caller or a person has typed', async () => {
  await using testApp = await makeTestApp()
  const { app } = testApp
  const personal = ['ann@mail.example', 'usr_01hx', '203.0.113.9', '07700900456', 'okafor']
  for (const text of personal) {
    const paths = [
      `/trpc/${text}`,
      `/trpc/auth.me,${text}?batch=1`,
      `/trpc/search.provider?input=${encodeURIComponent(JSON.stringify({ id: text }))}`,
      `/api/user-details/${text}/`,
      `/${text}`,
    ]
    for (const path of paths) {
      const headers = { 'idempotency-key': text, 'x-forwarded-for': text, 'user-agent': text }
      await app.fetch(new Request(`http://localhost:3000${path}`, { headers }), '203.0.113.9')
    }
  }
  const { text: metrics } = await ask(makeApp(testApp.services), '/metrics')
  expect(metrics).toContain('call="search.provider"')
  expect(personal.filter((text) => metrics.includes(text))).toEqual([])
  const calls = [...metrics.matchAll(/call="([^"]*)"/g)].map(([, call = '']) => call)
  expect(new Set(calls).difference(new Set(procedurePaths))).toEqual(new Set())
})

test('a gateway that does not respond is counted', async () => {
  await using testApp = await makeTestApp()
  const { config, now, metrics } = testApp.services
  const gateways = makeGateways({ ...config, now, sandbox: null, metrics })
  await expect(gateways.stripe.listDisputes(0)).rejects.toThrow('did not answer')
  await expect(gateways.paypal.listDisputes(0)).rejects.toThrow('did not answer')
  await expect(gateways.paypal.listDisputes(0)).rejects.toThrow('did not answer')
  expect(await linesOf(testApp, 'gateway_failures_total')).toEqual([
    'apposite_gateway_failures_total{gateway="stripe"} 1',
    'apposite_gateway_failures_total{gateway="paypal"} 2',
  ])
})

test('a job counts its failures and records the time of its last success', async () => {
  await using testApp = await makeTestApp()
  let runs = 0
  const job = {
    name: 'odd',
    everyMs: 1,
    run: () => {
      runs += 1
      return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve()
    },
  }
  const loop = startJobs(testApp.services, [job])
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2))
  await loop.stop()
  expect(await linesOf(testApp, 'job_failures_total')).toEqual([
    'apposite_job_failures_total{job="odd"} 1',
  ])
  const [succeeded = ''] = await linesOf(testApp, 'job_succeeded_timestamp_seconds')
  expect(Number(succeeded.split(' ')[1])).toBeGreaterThan(Date.now() / 1_000 - 60)
})

test('a process for jobs serves health and metrics only', async () => {
  await using testApp = await makeTestApp()
  const app = makeOperatorApp(testApp.services)
  expect((await ask(app, '/healthz')).status).toBe(200)
  expect((await ask(app, '/metrics')).text).toContain('\napposite_holds 0\n')
  for (const path of ['/', '/home', '/trpc/audit.list', '/openapi.json']) {
    expect((await ask(app, path)).status).toBe(404)
  }
  const stranger = new Request('http://localhost:3000/metrics')
  expect((await app.fetch(stranger, '203.0.113.9')).status).toBe(404)
})

describeEngines('database metrics', (makeDatabase) => {
  test('pending work is counted, with the age of the oldest', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const { db } = database
    const now = testApp.services.now()
    const row = {
      topic: 'contact.received',
      payload: '{}',
      attempts: 0,
      due_at: now,
      last_error: null,
    }
    await db
      .insertInto('outbox')
      .values([
        { ...row, id: 'out_1', created_at: now - 90_000, done_at: null, failed_at: null },
        {
          ...row,
          id: 'out_2',
          created_at: now - 9_000,
          due_at: now - 5_000,
          done_at: null,
          failed_at: null,
          last_error: 'Error 550',
        },
        {
          ...row,
          id: 'out_5',
          created_at: now - 30_000,
          done_at: null,
          failed_at: null,
          last_error: 'Error ECONNREFUSED',
        },
        { ...row, id: 'out_3', created_at: now - 900_000, done_at: now, failed_at: null },
        { ...row, id: 'out_4', created_at: now - 900_000, done_at: null, failed_at: now },
      ])
      .execute()
    expect(await linesOf(testApp, 'outbox')).toEqual([
      'apposite_outbox_waiting 3',
      'apposite_outbox_failed 1',
      'apposite_outbox_retrying 2',
      'apposite_outbox_oldest_seconds 90',
      'apposite_outbox_stuck_seconds 30',
      'apposite_outbox_overdue_seconds 5',
    ])
    expect(await linesOf(testApp, 'holds')).toEqual(['apposite_holds 0'])
    expect(await linesOf(testApp, 'payments_open')).toEqual([])
    expect(await linesOf(testApp, 'webhooks_waiting')).toEqual(['apposite_webhooks_waiting 0'])
  })

  test('emails that are put off count as stuck from the second address on, until one is accepted', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const { secrets, now: clock } = testApp.services
    const now = clock()
    const stuck = () => linesOf(testApp, 'outbox_stuck_seconds')
    const putOff = (id: string, seconds: number, to: string, last_error = 'Error 451') =>
      database.db
        .insertInto('outbox')
        .values({
          id,
          topic: 'account.letter',
          payload: toJson({
            letter: 'reset',
            userId: '',
            secret: '',
            to: secrets.seal('mail', to),
            next: '',
          }),
          attempts: 1,
          created_at: now - seconds * 1_000,
          due_at: now,
          done_at: null,
          failed_at: null,
          last_error,
        })
        .execute()
    await putOff('out_1', 90, 'full@example.com')
    await putOff('out_2', 80, 'ann@example.com', 'Error 550')
    await putOff('out_3', 70, 'full@example.com')
    expect(await stuck()).toEqual(['apposite_outbox_stuck_seconds 0'])
    await putOff('out_4', 60, 'bob@example.com')
    await putOff('out_5', 50, 'cat@example.com')
    expect(await stuck()).toEqual(['apposite_outbox_stuck_seconds 60'])
    const mail = { subject: 'Hello', text: '', html: '' }
    const accepted = { ...mail, messageId: 'm', to: 'ann@example.com', replyTo: null }
    await insertMail(database.db, {
      id: 'eml_1',
      mail: accepted,
      wasSent: true,
      userId: null,
      now: now - 55_000,
    })
    expect(await stuck()).toEqual(['apposite_outbox_stuck_seconds 0'])
  })

  test('one email that is put off for its patient and its provider counts as stuck', async () => {
    await using visit = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id: bookingId } = visit
    testApp.advance(60_000)
    await testApp.context().transaction((tx) => tx.outbox.add('booking.confirmed', { bookingId }))
    const stuck = () => linesOf(testApp, 'outbox_stuck_seconds')
    expect(await stuck()).toEqual(['apposite_outbox_stuck_seconds 0'])
    await testApp.database.db
      .updateTable('outbox')
      .set({ last_error: 'Error 451' })
      .where('done_at', 'is', null)
      .execute()
    testApp.advance(30_000)
    expect(await stuck()).toEqual(['apposite_outbox_stuck_seconds 30'])
  })

  test('a failed refund is no longer counted once it is resolved', async () => {
    await using visit = await makePaidVisit({ database: await makeDatabase() })
    const { testApp } = visit
    const failed = { reason: 'slot_lost', state: 'failed', failure: 'charge_disputed' } as const
    await insertRefund(testApp, { no: visit.payment.no, minor: 6_000 }, failed)
    expect(await linesOf(testApp, 'refunds_open')).toEqual([
      'apposite_refunds_open{state="failed"} 1',
    ])
    const admin = await signInDemoStaff(testApp, 'admin')
    const key = '00000000-0000-4000-8000-000000000001'
    const again = { minor: 6_000, reason: 'The card works again.', key }
    const { code } = await admin.act('payments.refund', { paymentId: visit.payment.id, ...again })
    expect(code).toBeNull()
    expect(await linesOf(testApp, 'refunds_open')).toEqual([])
  })
})

test('while the database is down its metrics are missing rather than 0, and all others are reported', async () => {
  await using testApp = await makeTestApp()
  expect(await linesOf(testApp, 'outbox_failed')).toEqual(['apposite_outbox_failed 0'])
  await testApp.database.close()
  expect(await linesOf(testApp, 'outbox_failed')).toEqual([])
  expect(await linesOf(testApp, 'webhook_bad_signatures_total')).toHaveLength(2)
})

test('alerts and dashboard use existing metrics', async () => {
  await using testApp = await makeTestApp()
  collectDefaultMetrics({ register: testApp.services.metrics.registry })
  const { text } = await ask(makeApp(testApp.services), '/metrics')
  const exported = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
  for (const file of ['alerts.yml', 'grafana.json']) {
    const used = readFileSync(join(import.meta.dirname, './../../deploy', file), 'utf8')
    const names = [...used.matchAll(/\b(?:apposite|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name,
    )
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(exported).toContain(name.replace(/_(bucket|sum|count)$/, ''))
    for (const [, call] of used.matchAll(/call=\\?"([\w.]+)\\?"/g))
      expect(procedurePaths).toContain(call)
  }
})

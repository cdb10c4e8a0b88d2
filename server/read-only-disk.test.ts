import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorData } from '#contract/base/errors.ts'
import { TOUCH_EVERY_MS } from '#server/auth/rules.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const SITE = 'http://localhost:3000'

const MESSAGE = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

/** Simulates a failing disk, which Linux remounts read-only. */
async function makeReadOnly({ database }: TestApp): Promise<void> {
  await sql`pragma query_only = on`.execute(database.db)
}

const Refused = z.object({ error: z.object({ data: ErrorData }) })

test('reads work, and a write is told when to retry', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.act('auth.signIn', { email, password: PASSWORD, user_type: 'patient' })
  testApp.advance(TOUCH_EVERY_MS)
  await makeReadOnly(testApp)
  expect(await browser.ask('auth.me', {})).toMatchObject({ status: 200, code: null })
  const search = { latitude: 51.5, longitude: -0.1 }
  expect(await browser.ask('search.providers', search)).toMatchObject({ status: 200 })
  expect(await browser.act('messages.contact', MESSAGE)).toMatchObject({
    status: 503,
    code: 'busy',
    retryAfter: 2,
  })
})

async function health({ app }: TestApp) {
  const response = await app.fetch(new Request(`${SITE}/healthz`))
  const retryAfter = response.headers.get('retry-after')
  const body: unknown = await response.json()
  return { status: response.status, retryAfter, body }
}

test('the health check reports it within ten seconds, and its end', async () => {
  await using testApp = await makeTestApp()
  expect(await health(testApp)).toMatchObject({ status: 200, body: { status: 'ok' } })
  await makeReadOnly(testApp)
  testApp.advance(10_000)
  const ill = { status: 503, retryAfter: '5', body: { status: 'unavailable' } }
  expect(await health(testApp)).toEqual(ill)
  await sql`pragma query_only = off`.execute(testApp.database.db)
  testApp.advance(10_000)
  expect(await health(testApp)).toMatchObject({ status: 200 })
})

test('health checks write to the disk once in ten seconds', async () => {
  await using testApp = await makeTestApp()
  const changes = async () => {
    const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(
      testApp.database.db,
    )
    return rows[0]?.n ?? 0
  }
  const before = await changes()
  await Promise.all(Array.from({ length: 20 }, () => health(testApp)))
  testApp.advance(9_999)
  await health(testApp)
  expect((await changes()) - before).toBe(1)
})

test('a refusal that cannot be audited is still a refusal in the usual form', async () => {
  await using testApp = await makeTestApp()
  await makeReadOnly(testApp)
  const request = new Request(`${SITE}/trpc/messages.contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify(MESSAGE),
  })
  const response = await testApp.app.fetch(request, '192.0.2.1')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(Refused.parse(await response.json()).error.data.appCode).toBe('busy')
  expect(testApp.mails).toEqual([])
})

test('a client that disconnects while sending is not reported as a defect', async () => {
  await using testApp = await makeTestApp()
  for (const path of ['/trpc/messages.contact', '/api/contact-us/']) {
    const body = new ReadableStream({
      pull: (stream) => stream.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
    })
    const headers = { 'content-type': 'application/json', 'content-length': '40' }
    const chunked: RequestInit & { duplex: 'half' } = { duplex: 'half' }
    const request = new Request(SITE + path, { method: 'POST', body, headers, ...chunked })
    expect((await testApp.app.fetch(request, '192.0.2.1')).status).toBe(400)
  }
  expect(testApp.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { EXPORT_PATH, HistorySheet, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { streamOf } from '#server/http/downloads.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { type Part, readAllRows, readBatches } from './history.ts'

async function open() {
  const testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, { first_name: '=cmd|calc', last_name: 'O, "Neil"' })
  const visit = (startsAt: string, method: 'stripe' | 'paypal' = 'stripe') =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, method })
  return {
    testApp,
    visit,
    account,
    patient,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

/** Requests the file at a path with some filters; `code` is the error code of a rejection. */
async function take(browser: Browser, path: string, filters: object) {
  const response = await browser.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(filters),
  })
  const text = await response.text()
  const { headers, status } = response
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null
  return { status, code, text, named: headers.get('content-disposition'), headers }
}

/** The lines of a file below its header. */
const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1)

test('a superuser exports the filtered history as a file, after a step-up, and it is audited', async () => {
  await using at = await open()
  const { id } = await at.visit('2025-06-30T23:30:00Z', 'paypal')
  await at.visit('2025-06-30T09:00:00Z')
  const superuser = await signInDemoStaff(at.testApp, 'superuser')
  await at.testApp.database.db.updateTable('sessions').set({ stepped_up_until: null }).execute()
  const input = { payment_method: 'paypal', year: 2025, month: '07' }
  expect((await take(superuser, EXPORT_PATH, input)).code).toBe('step_up_required')
  await superuser.act('auth.stepUp', { password: PASSWORD })
  const file = await take(superuser, EXPORT_PATH, input)
  expect(file.named).toBe('attachment; filename="appointments-2026-03-02.csv"')
  expect(file.headers.get('cache-control')).toBe('no-store')
  // Decoding as text drops the byte order mark.
  expect(file.text).toBe(
    '#,User name,Doctor name,Date,Time,Amount,Currency,Refunded,Payment method,Region,State,Reference,Appointment\r\n' +
      `1,"'=cmd|calc O, ""Neil""",Dr Amara Okafor,2025-07-01,00:30,60.00,GBP,0.00,paypal,uk,confirmed,AP-0000-05,${id}\r\n`,
  )
  const { details } = await at.testApp.database.db
    .selectFrom('audit')
    .select('details')
    .where('action', '=', 'payment.history_exported')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(details)).toMatchObject({ rows: 1, payment_method: 'paypal', year: 2025 })
})

test('all rows are there in the requested order, across batches', async () => {
  await using at = await open()
  for (let n = 0; n < 505; n += 1) {
    await at.visit(new Date(Date.UTC(2024, 0, 1, n)).toISOString())
  }
  const superuser = await signInDemoStaff(at.testApp, 'superuser')
  await superuser.act('auth.stepUp', { password: PASSWORD })
  const lines = linesOf((await take(superuser, EXPORT_PATH, { sort: 'asc' })).text)
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(
    Array.from({ length: 505 }, (_, n) => n + 1),
  )
  const times = lines.map((line) => /(\d{4}-\d\d-\d\d),(\d\d:\d\d)/.exec(line)?.[0] ?? '')
  expect(times).toEqual(times.toSorted())

  const packed = await superuser.fetch(EXPORT_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: JSON.stringify({ sort: 'asc' }),
  })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  const parts = await Array.fromAsync(packed.body ?? [])
  // Collected first, it would come in one piece.
  expect(parts.length).toBeGreaterThan(1)
  expect(linesOf(gunzipSync(Buffer.concat(parts)).toString())).toEqual(lines)
  const other = await superuser.fetch(EXPORT_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'br' },
    body: JSON.stringify({ sort: 'asc' }),
  })
  expect((await Array.fromAsync(other.body ?? [])).length).toBeGreaterThan(1)
})

test('a provider exports only their own filtered history', async () => {
  await using at = await open()
  for (let n = 0; n < 6; n += 1) {
    await at.visit(`2025-06-1${n}T09:00:00Z`, n === 5 ? 'paypal' : 'stripe')
  }
  const { provider: other } = await makeProviderAccount(at.testApp)
  await insertVisit(at.testApp, other, {
    patientNo: at.patient.no,
    startsAt: '2025-06-10T11:00:00Z',
  })
  const browser = new Browser(at.testApp)
  await browser.signIn(at.account)
  const input = { payment_method: 'stripe', sort: 'asc', year: 2025 }
  // There it is still the evening before.
  const places = at.testApp.database.db.updateTable('places')
  await places.set({ time_zone: 'Pacific/Honolulu' }).execute()
  const file = await take(browser, OWN_EXPORT_PATH, input)
  expect(file.named).toBe('attachment; filename="appointments-2026-03-01.csv"')
  const lines = linesOf(file.text)
  expect(lines.map((line) => /2025-06-\d\d,\d\d:\d\d/.exec(line)?.[0])).toEqual(
    ['10', '11', '12', '13', '14'].map((day) => `2025-06-${day},10:00`),
  )
  const sheet = HistorySheet.parse((await browser.ask('payments.printOwnHistory', input)).data)
  expect([sheet.appointments.length, sheet.isCut]).toEqual([5, false])
  expect(linesOf((await take(browser, OWN_EXPORT_PATH, { year: 1 })).text)).toEqual([])
  const odd = await take(browser, OWN_EXPORT_PATH, { year: 'none' })
  expect([odd.status, odd.code]).toEqual([400, 'invalid_input'])
})

test('a file is read while it is sent, one batch ahead', async () => {
  const STRETCHES = 20
  let read = 0
  const stretches = readBatches(({ skip, limit }: Part) => {
    read += 1
    const left = STRETCHES * 500 - skip
    return Promise.resolve(Array.from({ length: Math.min(limit, left) }, () => 'x'.repeat(100)))
  }, 1_000_000)
  async function* text(): AsyncGenerator<string, void> {
    for await (const rows of stretches) yield rows.join('')
  }
  const reader = streamOf(text(), () => undefined).getReader()
  for (let taken = 1; taken <= STRETCHES; taken += 1) {
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    expect(read).toBeLessThanOrEqual(taken + 1)
  }
  expect((await reader.read()).done).toBe(true)
})

test('cancelling the download stops reading from the database', async () => {
  let read = 0
  const stretches = readBatches(({ limit }: Part) => {
    read += 1
    return Promise.resolve(Array.from({ length: limit }, () => 'x'))
  }, 1_000_000)
  async function* text(): AsyncGenerator<string, void> {
    for await (const rows of stretches) yield rows.join('')
  }
  const reader = streamOf(text(), () => undefined).getReader()
  await reader.read()
  await reader.cancel()
  const before = read
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(read).toBe(before)
})

test('at most the limit is read, and more rows are reported', async () => {
  const rows = Array.from({ length: 1_203 }, (_, id) => ({ id }))
  const parts: number[] = []
  const read = ({ skip, limit }: Part) => {
    parts.push(limit)
    return Promise.resolve(rows.slice(skip, skip + limit))
  }
  const cut = await readAllRows(read, 1_200)
  expect([cut.rows.length, cut.isCut]).toEqual([1_200, true])
  expect(parts).toEqual([500, 500, 201])
  const whole = await readAllRows(read, 1_203)
  expect([whole.rows.length, whole.isCut]).toEqual([1_203, false])
})

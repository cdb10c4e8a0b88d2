import { expect, test } from 'vitest'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { programOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const body = {
  kind: 'phone',
  date: '03/03/2026',
  time: '7:10 AM',
  minutes: 20,
  name: 'Ida Rowe',
  phone: '020 7946 0123',
  note: 'Asked for a morning time.',
}

async function open() {
  const testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  return {
    testApp,
    program: await programOf(testApp, account),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a script puts a visit in, finds, reads, corrects, moves and cancels it', async () => {
  await using at = await open()
  const { program } = at
  const added = await program.send('POST /provider/desk-visits/', { body })
  expect(added.body).toMatchObject({
    status: true,
    message: 'The visit is in your calendar.',
    sequence: 0,
    state: 'confirmed',
    date: '03/03/2026',
    start_time: '07:10',
  })
  const id = String(added.body['id'])
  const list = await program.send('GET /provider/desk-visits/?search=rowe')
  expect(list.body).toMatchObject({ total: 1, visits: [{ id, kind: 'phone', name: 'Ida Rowe' }] })
  const edited = await program.send(`PATCH /provider/desk-visits/${id}/`, {
    body: { name: 'Ida Rowe-Hall', note: '' },
  })
  expect(edited.body).toMatchObject({ message: 'The visit is changed.', sequence: 0 })
  const read = await program.send(`GET /provider/desk-visits/${id}/`)
  expect(read.body).toMatchObject({ name: 'Ida Rowe-Hall', email: null, has_note: false })
  const move = (sequence: number) =>
    program.send(`POST /provider/desk-visits/${id}/move/`, {
      body: { sequence, date: '03/03/2026', time: '07:40' },
    })
  expect((await move(0)).body).toMatchObject({ sequence: 1, start_time: '07:40' })
  const late = await move(0)
  expect([late.status, late.body['code']]).toEqual([409, 'changed_meanwhile'])
  const early = await program.send(`POST /provider/desk-visits/${id}/outcome/`, {
    body: { mark: 'arrived' },
  })
  expect([early.status, early.body['code']]).toEqual([409, 'outcome_too_early'])
  const ended = await program.send(`POST /provider/desk-visits/${id}/cancel/`, {
    body: { sequence: 1 },
  })
  expect(ended.body).toMatchObject({ state: 'cancelled', sequence: 2 })
})

test('the same key gives the same visit, and another body under it is refused', async () => {
  await using at = await open()
  const headers = { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-000000putin' }
  const send = (more: object = {}) =>
    at.program.send('POST /provider/desk-visits/', { body: { ...body, ...more }, headers })
  const first = await send()
  const again = await send()
  expect(first.status).toBe(200)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await send({ name: 'Sam Hill' })
  expect([other.status, other.body['code']]).toEqual([422, 'key_reused'])
  const { db } = at.testApp.database
  expect(await db.selectFrom('desk_visits').select('no').execute()).toHaveLength(1)
  // The stored idempotent response does not name the patient.
  const kept = await db.selectFrom('idempotency_keys').selectAll().execute()
  expect(JSON.stringify(kept)).not.toMatch(/Ida|Rowe|7946/)
})

test('a time somebody has, a day that is over and a foreign visit are refused by their codes', async () => {
  await using at = await open()
  const { program } = at
  const added = await program.send('POST /provider/desk-visits/', { body })
  const twice = await program.send('POST /provider/desk-visits/', { body })
  expect([twice.status, twice.body['code']]).toEqual([409, 'desk_time_taken'])
  const past = { ...body, date: '01/03/2026' }
  const over = await program.send('POST /provider/desk-visits/', { body: past })
  expect([over.status, over.body['code']]).toEqual([400, 'date_passed'])
  const other = await makeProviderAccount(at.testApp, { email: 'other@mail.example' })
  const stranger = await programOf(at.testApp, other.account)
  const foreign = await stranger.send(`GET /provider/desk-visits/${String(added.body['id'])}/`)
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'not_found'])
})

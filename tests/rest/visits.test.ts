import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser, makeToken } from '#tests/harness/browser.ts'
import { Program, programOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

async function openVisit(mode: 'in_person' | 'video' = 'in_person') {
  const testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const startsAt = mode === 'video' ? '2026-03-02T09:20:00Z' : '2026-03-05T09:00:00Z'
  const booked = { patientNo: patient.no, startsAt, mode }
  const { id } = await insertVisit(testApp, provider, booked)
  return {
    testApp,
    id,
    program: await programOf(testApp, patient),
    patient: await programOf(testApp, account),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a script lists its visits, reads the terms of one and cancels it', async () => {
  await using at = await openVisit()
  const { program, id } = at
  const list = await program.send('GET /user/visits/?when=coming')
  expect(list.body).toMatchObject({
    status: true,
    total: 1,
    visits: [{ id, state: 'confirmed', date: '05/03/2026', start_time: '09:00', amount: '60.00' }],
  })
  const terms = await program.send(`GET /user/visits/${id}/terms/`)
  expect(terms.body).toMatchObject({ sequence: 0, refund: '60.00', kept: '0.00', is_free: true })
  const cancel = (refund: string) =>
    program.send(`POST /user/visits/${id}/cancel/`, { body: { sequence: 0, refund } })
  const changed = await cancel('30.00')
  expect([changed.status, changed.body['code']]).toEqual([409, 'terms_changed'])
  expect((await cancel('60.00')).body).toEqual({
    status: true,
    message: 'Your visit is cancelled.',
    refund: '60.00',
    currency: 'GBP',
  })
  const again = await cancel('60.00')
  expect([again.status, again.body['code']]).toEqual([409, 'visit_cancelled'])
})

test('a key makes a cancellation happen once, with the same response', async () => {
  await using at = await openVisit()
  const { program, id } = at
  const send = () =>
    program.send(`POST /user/visits/${id}/cancel/`, {
      body: { sequence: 0, refund: '60.00' },
      headers: { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-cancelling' },
    })
  const first = await send()
  const again = await send()
  expect(first.status).toBe(200)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})

test('a provider’s script cancels with a reason, only their own visits', async () => {
  await using at = await openVisit()
  const { patient, id, testApp } = at
  const terms = await patient.send(`GET /provider/visits/${id}/terms/`)
  expect(terms.body).toMatchObject({ sequence: 0, refund: '60.00', kept: '0.00' })
  const body = { sequence: 0, refund: '60.00', reason: 'closed' }
  const other = await makeProviderAccount(testApp, { email: 'other@mail.example' })
  const stranger = await programOf(testApp, other.account)
  const refused = await stranger.send(`POST /provider/visits/${id}/cancel/`, { body })
  expect([refused.status, refused.body['code']]).toEqual([404, 'not_found'])
  const done = await patient.send(`POST /provider/visits/${id}/cancel/`, { body })
  expect(done.body).toMatchObject({ message: 'The visit was cancelled.', refund: '60.00' })
})

test('a refused cancellation by the provider releases its key', async () => {
  await using at = await openVisit()
  const { patient: provider, id } = at
  const cancel = (refund: string) =>
    provider.send(`POST /provider/visits/${id}/cancel/`, {
      body: { sequence: 0, refund, reason: 'closed' },
      headers: { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-0000refused' },
    })
  const refused = await cancel('30.00')
  expect([refused.status, refused.body['code']]).toEqual([409, 'terms_changed'])
  const done = await cancel('60.00')
  expect([done.status, done.body['refund']]).toEqual([200, '60.00'])
  const again = await cancel('60.00')
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([done.body, 'true'])
})

test('a script joins a video visit when it is open, from either side; a key records it once', async () => {
  await using at = await openVisit('video')
  const { program, patient: provider, id, testApp } = at
  const list = await program.send('GET /user/visits/?when=coming')
  expect(list.body).toMatchObject({ visits: [{ id, mode: 'video' }] })
  const early = await program.send(`POST /user/visits/${id}/join/`)
  expect([early.status, early.body['code']]).toEqual([409, 'video_too_early'])
  testApp.advance(6 * 60_000)
  const headers = { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-joining' }
  const first = await program.send(`POST /user/visits/${id}/join/`, { headers })
  expect(first.body).toMatchObject({ status: true, host: 'localhost:3000' })
  const again = await program.send(`POST /user/visits/${id}/join/`, { headers })
  expect(again.body).toEqual(first.body)
  const other = await provider.send(`POST /provider/visits/${id}/join/`)
  expect(other.body['url']).toBe(first.body['url'])
  const joins = await testApp.database.db.selectFrom('visit_joins').select('by_kind').execute()
  expect(joins).toEqual([{ by_kind: 'patient' }, { by_kind: 'provider' }])
})

test('a script lists the provider’s free times and moves a visit to one, once per key', async () => {
  await using at = await openVisit()
  const { program, id, testApp } = at
  const times = await program.send(`GET /user/visits/${id}/times/?from=03/03/2026&days=1`)
  expect(times.body).toMatchObject({ time_zone: 'Europe/London', next_day: '2026-03-04' })
  expect(times.body['times']).toContainEqual({
    date: '03/03/2026',
    start_time: '10:30',
    starts_at: '2026-03-03T10:30:00.000Z',
  })
  const { db } = testApp.database
  const visit = await db
    .selectFrom('bookings')
    .select(['no as booking_no', 'provider_no', 'start_at', 'end_at'])
    .executeTakeFirstOrThrow()
  await db.insertInto('slot_claims').values(visit).execute()
  const send = () =>
    program.send(`POST /user/visits/${id}/move/`, {
      body: { sequence: 0, date: '03/03/2026', time: '10:30' },
      headers: { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-00000moving' },
    })
  const first = await send()
  expect(first.body).toEqual({
    status: true,
    message: 'Your visit is moved.',
    date: '03/03/2026',
    start_time: '10:30',
    starts_at: '2026-03-03T10:30:00.000Z',
    sequence: 1,
    moves_left: 2,
  })
  const again = await send()
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const late = await program.send(`POST /user/visits/${id}/move/`, {
    body: { sequence: 0, date: '04/03/2026', time: '10:30' },
  })
  expect([late.status, late.body['code']]).toEqual([409, 'changed_meanwhile'])
})

test('a provider’s script moves a visit to one of their own free times', async () => {
  await using at = await openVisit()
  const { patient: provider, id, testApp } = at
  const times = await provider.send(`GET /provider/visits/${id}/times/?from=04/03/2026&days=1`)
  expect(times.body['times']).toContainEqual({
    date: '04/03/2026',
    start_time: '09:30',
    starts_at: '2026-03-04T09:30:00.000Z',
  })
  const { db } = testApp.database
  const visit = await db
    .selectFrom('bookings')
    .select(['no as booking_no', 'provider_no', 'start_at', 'end_at'])
    .executeTakeFirstOrThrow()
  await db.insertInto('slot_claims').values(visit).execute()
  const body = { sequence: 0, date: '04/03/2026', time: '9:30 AM', note: 'As agreed.' }
  const done = await provider.send(`POST /provider/visits/${id}/move/`, { body })
  expect(done.body).toEqual({
    status: true,
    message: 'The visit was moved.',
    date: '04/03/2026',
    start_time: '09:30',
    starts_at: '2026-03-04T09:30:00.000Z',
    sequence: 1,
  })
})

/** A provider with three visits, two of them within an absence, and a script with their token. */
async function openSickDay() {
  const testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const ids: string[] = []
  for (const startsAt of ['2026-03-05T09:00Z', '2026-03-05T10:00Z', '2026-03-06T09:00Z']) {
    const { id } = await insertVisit(testApp, provider, { patientNo: patient.no, startsAt })
    ids.push(id)
  }
  await testApp.database.db
    .insertInto('absences')
    .values({
      id: testApp.services.newId('abs'),
      provider_no: provider.no,
      place_no: null,
      from_date: '2026-03-05',
      to_date: '2026-03-05',
      note: '',
    })
    .execute()
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const withScope = async (scope: 'visits:read' | 'visits:write') => {
    const program = new Program(testApp)
    program.token = (await makeToken(browser, [scope])).secret
    return program
  }
  return { testApp, ids, withScope, [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose]() }
}

test('a provider’s script lists the visits of a sick day and cancels them one by one', async () => {
  await using at = await openSickDay()
  const { ids, withScope, testApp } = at
  const program = await withScope('visits:write')
  const list = await program.send('GET /provider/visits/in-time-off/')
  const row = { sequence: 0, date: '05/03/2026', paid: '60.00', refund: '60.00', currency: 'GBP' }
  expect(list.body).toMatchObject({
    status: true,
    visits: [
      { ...row, id: ids[0], start_time: '09:00', patient_name: 'Maya Ellis' },
      { ...row, id: ids[1], start_time: '10:00' },
    ],
  })
  const shown = { sequence: 0, refund: '60.00' }
  const body = {
    visits: [
      { id: ids[0], ...shown },
      { id: ids[1], ...shown, refund: '30.00' },
      { id: `apt_${'0'.repeat(26)}`, ...shown },
    ],
    reason: 'unwell',
    note: 'We are sorry.',
  }
  const headers = { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-000sick0day0' }
  const send = () => program.send('POST /provider/visits/cancel/', { body, headers })
  const first = await send()
  expect(first.body).toEqual({
    status: true,
    visits: [
      { id: ids[0], cancelled: true, code: null, refund: '60.00', currency: 'GBP' },
      { id: ids[1], cancelled: false, code: 'terms_changed', refund: null, currency: null },
      { id: body.visits[2]?.id, cancelled: false, code: 'not_found', refund: null, currency: null },
    ],
  })
  const again = await send()
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const states = await testApp.database.db
    .selectFrom('bookings')
    .select('state')
    .orderBy('no')
    .execute()
  expect(states.map(({ state }) => state)).toEqual(['cancelled', 'confirmed', 'confirmed'])
  const left = await program.send('GET /provider/visits/in-time-off/')
  expect(left.body).toMatchObject({ visits: [{ id: ids[1] }] })
})

test('desk visits are listed with them, and cancelled in the same call', async () => {
  await using at = await openSickDay()
  const { ids, withScope } = at
  const program = await withScope('visits:write')
  const put = await program.send('POST /provider/desk-visits/', {
    body: { kind: 'walk_in', name: 'Ida Rowe', date: '05/03/2026', time: '15:00' },
  })
  expect(put.status).toBe(200)
  const list = await program.send('GET /provider/visits/in-time-off/')
  const [row] = z
    .object({ desk_visits: z.array(z.looseObject({ id: z.string() })) })
    .parse(list.body).desk_visits
  expect(row).toMatchObject({ patient_name: 'Ida Rowe', kind: 'walk_in', has_email: false })
  const cancelled = await program.send('POST /provider/visits/cancel/', {
    body: {
      visits: [{ id: ids[0], sequence: 0, refund: '60.00' }],
      desk_visits: [{ id: row?.id, sequence: 0 }],
      reason: 'unwell',
    },
  })
  expect(cancelled.body).toMatchObject({
    visits: [
      { id: ids[0], cancelled: true, refund: '60.00' },
      { id: row?.id, cancelled: true, refund: null, currency: null },
    ],
  })
  const left = await program.send('GET /provider/visits/in-time-off/')
  expect(left.body).toMatchObject({ desk_visits: [] })
})

test('a read-only token lists but cannot cancel them; invalid amounts and none are refused', async () => {
  await using at = await openSickDay()
  const { ids, withScope } = at
  const reading = await withScope('visits:read')
  expect((await reading.send('GET /provider/visits/in-time-off/')).status).toBe(200)
  const one = { id: ids[0], sequence: 0, refund: '60.00' }
  const send = (program: Program, visits: object[]) =>
    program.send('POST /provider/visits/cancel/', { body: { visits, reason: 'unwell' } })
  const refused = await send(reading, [one])
  expect([refused.status, refused.body['code']]).toEqual([403, 'access_token_scope'])
  const writing = await withScope('visits:write')
  for (const visits of [[], [one, one], [{ ...one, refund: 'all' }]]) {
    expect((await send(writing, visits)).status).toBe(400)
  }
})

const deskBody = {
  kind: 'phone',
  date: '03/03/2026',
  time: '7:10 AM',
  minutes: 20,
  name: 'Ida Rowe',
  phone: '020 7946 0123',
  note: 'Asked for a morning time.',
}

async function openDesk() {
  const testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  return {
    testApp,
    program: await programOf(testApp, account),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a script adds a desk visit, finds, reads, corrects, moves and cancels it', async () => {
  await using at = await openDesk()
  const { program } = at
  const added = await program.send('POST /provider/desk-visits/', { body: deskBody })
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

test('the same key returns the same visit, and another body with it is refused', async () => {
  await using at = await openDesk()
  const headers = { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-000000putin' }
  const send = (more: object = {}) =>
    at.program.send('POST /provider/desk-visits/', { body: { ...deskBody, ...more }, headers })
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

test('a taken time, a past day and another provider’s visit are refused with their codes', async () => {
  await using at = await openDesk()
  const { program } = at
  const added = await program.send('POST /provider/desk-visits/', { body: deskBody })
  const twice = await program.send('POST /provider/desk-visits/', { body: deskBody })
  expect([twice.status, twice.body['code']]).toEqual([409, 'desk_time_taken'])
  const past = { ...deskBody, date: '01/03/2026' }
  const over = await program.send('POST /provider/desk-visits/', { body: past })
  expect([over.status, over.body['code']]).toEqual([400, 'date_passed'])
  const other = await makeProviderAccount(at.testApp, { email: 'other@mail.example' })
  const stranger = await programOf(at.testApp, other.account)
  const foreign = await stranger.send(`GET /provider/desk-visits/${String(added.body['id'])}/`)
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'not_found'])
})

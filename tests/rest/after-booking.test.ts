import { expect, test } from 'vitest'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser, makeToken } from '#tests/harness/browser.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/servers/fake-gateways.ts'
import { Program, programOf, type RestAnswer } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000

const codeIn = ({ status, body }: RestAnswer) => [status, body['code']]

test('a script reads and changes reminder settings; omitted ones stay', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, await makeAccount(testApp))
  const usual = { week: true, day: true, from_hour: 8, to_hour: 20, discreet: false }
  expect((await program.send('GET /user/reminders/')).body).toEqual({ status: true, ...usual })
  const change = (body: object) => program.send('PATCH /user/reminders/', { body })
  const changed = { status: true, ...usual, week: false, from_hour: 9 }
  expect((await change({ week: false, from_hour: 9 })).body).toEqual(changed)
  expect((await change({ from_hour: 3 })).status).toBe(400)
  expect((await change({ fromHour: 10 })).status).toBe(400)
  expect((await program.send('GET /user/reminders/')).body).toEqual(changed)
})

test('a repeated change of some reminder settings gets the first response, whatever changed since', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, await makeAccount(testApp))
  const change = (body: object, key: string) =>
    program.send('PATCH /user/reminders/', { body, headers: { 'idempotency-key': key } })
  const first = await change({ week: false }, '7f3c2f0e-0d7f-4f3a-9d2c-0000000week')
  await change({ day: false }, '7f3c2f0e-0d7f-4f3a-9d2c-00000000day')
  const again = await change({ week: false }, '7f3c2f0e-0d7f-4f3a-9d2c-0000000week')
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})

test('a calendar link is shown once, listed without its URL, and invalid once revoked', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, await makeAccount(testApp))
  const made = await program.send('POST /calendar-links/', { body: { name: 'Phone' } })
  expect(made).toMatchObject({ status: 201, body: { link: { name: 'Phone', shows_names: false } } })
  const address = String(made.body['url'])
  const read = async () => (await testApp.app.fetch(new Request(address))).status
  expect(await read()).toBe(200)
  const listed = await program.send('GET /calendar-links/')
  expect(listed.body).toMatchObject({ links: [{ name: 'Phone' }] })
  expect(JSON.stringify(listed.body)).not.toContain(address)
  const [, id = ''] = /"id":"(cal_\w+)"/.exec(JSON.stringify(listed.body)) ?? []
  const stranger = await programOf(testApp, await makeAccount(testApp))
  expect(codeIn(await stranger.send(`DELETE /calendar-links/${id}/`))).toEqual([404, 'not_found'])
  expect(await read()).toBe(200)
  expect((await program.send(`DELETE /calendar-links/${id}/`)).body).toMatchObject({ status: true })
  expect(await read()).toBe(404)
  expect(codeIn(await program.send(`DELETE /calendar-links/${id}/`))).toEqual([404, 'not_found'])
})

test('a script adds an outside calendar, reads it and removes it; others cannot', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { account } = await makeProviderAccount(testApp)
  const program = await programOf(testApp, account)
  outside.setBusy('2026-03-10T09:00/10:00')
  const body = { name: 'Family', address: 'https://calendar.example/private-7f3a.ics' }
  const added = await program.send('POST /outside-calendars/', { body })
  expect(added).toMatchObject({ status: 201, body: { calendar: { busy: 1, failure: null } } })
  const listed = await program.send('GET /outside-calendars/')
  expect(listed.body).toMatchObject({ calendars: [{ host: 'calendar.example' }], clashes: [] })
  expect(JSON.stringify([added.body, listed.body])).not.toContain('private-7f3a')
  const [, id = ''] = /"id":"(ocl_\w+)"/.exec(JSON.stringify(listed.body)) ?? []
  const stranger = await programOf(testApp, (await makeProviderAccount(testApp)).account)
  expect(codeIn(await stranger.send(`DELETE /outside-calendars/${id}/`))).toEqual([
    404,
    'not_found',
  ])
  const renamed = await program.send(`PATCH /outside-calendars/${id}/`, {
    body: { name: 'Home', skips_all_day: false },
  })
  expect(renamed.body).toMatchObject({ calendar: { name: 'Home', host: 'calendar.example' } })
  expect(
    codeIn(
      await stranger.send(`PATCH /outside-calendars/${id}/`, {
        body: { name: 'Mine', skips_all_day: false },
      }),
    ),
  ).toEqual([404, 'not_found'])
  outside.fail('gone')
  const read = await program.send(`POST /outside-calendars/${id}/read/`)
  expect(read.body).toMatchObject({ calendar: { busy: 1, failure: 'gone' } })
  expect((await program.send(`DELETE /outside-calendars/${id}/`)).status).toBe(200)
  expect(codeIn(await program.send(`DELETE /outside-calendars/${id}/`))).toEqual([404, 'not_found'])
})

test('a script checks the rows of a file, imports them, in parts or twice, and undoes it', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, (await makeProviderAccount(testApp)).account)
  const row = { line: 2, start: '10/03/2026 09:00', minutes: '30', external_id: 'A-1' }
  const rows = [row, { line: 3, start: '31/02/2026 09:00', minutes: '30' }]
  const refused = [
    {
      line: 3,
      code: 'date_bad',
      message: 'The start or end is not a date and time we can read.',
    },
  ]
  const checked = await program.send('POST /imports/check/', { body: { dates: 'dmy', rows } })
  expect(checked.body).toEqual({
    status: true,
    good: 1,
    first: {
      line: 2,
      starts_at: '2026-03-10T09:00:00.000Z',
      ends_at: '2026-03-10T09:30:00.000Z',
    },
    refused,
  })
  const file = { dates: 'dmy', name: 'old.csv' }
  const send = (body: object, headers = {}) => program.send('POST /imports/', { body, headers })
  const headers = { 'idempotency-key': '7f3c2f0e-0d7f-4f3a-9d2c-0000import01' }
  const added = await send({ ...file, rows }, headers)
  expect(added.body).toMatchObject({ added: 1, updated: 0, refused })
  const replayed = await send({ ...file, rows }, headers)
  expect(replayed.body).toEqual(added.body)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  const { import_id: id } = added.body
  const more = { ...file, import_id: id, rows: [row, { ...row, line: 4, external_id: 'A-2' }] }
  expect((await send(more)).body).toMatchObject({ import_id: id, added: 1, updated: 1 })
  const listed = await program.send('GET /imports/')
  expect(listed.body).toMatchObject({ imports: [{ id, name: 'old.csv', rows: 2 }] })
  const stranger = await programOf(testApp, (await makeProviderAccount(testApp)).account)
  const path = `DELETE /imports/${String(id)}/`
  expect(codeIn(await stranger.send(path))).toEqual([404, 'not_found'])
  expect((await program.send(path)).body).toMatchObject({ status: true })
  expect((await program.send('GET /imports/')).body).toEqual({ status: true, imports: [] })
  const many = Array.from({ length: 201 }, (_, n) => ({ ...row, line: n + 2 }))
  expect((await send({ ...file, rows: many })).status).toBe(400)
})

test('a provider marks a no-show, and the patient contests it, once', async () => {
  await using testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const startsAt = '2026-03-02T10:00:00Z'
  const { id } = await insertVisit(testApp, provider, { patientNo: patient.no, startsAt })
  const mark = async (body: object) =>
    (await programOf(testApp, account)).send(`POST /provider/visits/${id}/outcome/`, { body })
  expect(codeIn(await mark({ mark: 'no_show' }))).toEqual([409, 'outcome_too_early'])
  expect((await mark({ mark: 'arrived' })).body).toMatchObject({
    outcome: null,
    arrived_at: '2026-03-02T09:00:00.000Z',
  })
  testApp.advance(1.2 * HOUR)
  expect((await mark({ mark: 'no_show' })).body).toMatchObject({
    outcome: 'no_show',
    arrived_at: null,
  })
  const body = { says: 'was_there', words: 'I was seen at ten.' }
  const program = await programOf(testApp, patient)
  const contest = () => program.send(`POST /user/visits/${id}/contest/`, { body })
  expect((await contest()).body).toMatchObject({ outcome: 'no_show', claim: 'open' })
  expect(codeIn(await contest())).toEqual([409, 'contest_made'])
  const other = await makeProviderAccount(testApp, { email: 'other@mail.example' })
  const stranger = await programOf(testApp, other.account)
  const foreign = await stranger.send(`POST /provider/visits/${id}/outcome/`, {
    body: { mark: 'completed' },
  })
  expect(codeIn(foreign)).toEqual([404, 'not_found'])
})

test('a token works within its scopes: read scopes change nothing, and none creates a calendar link', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const programWith = async (...scopes: Parameters<typeof makeToken>[1]) => {
    const program = new Program(testApp)
    program.token = (await makeToken(browser, scopes)).secret
    return program
  }
  const reading = await programWith('reminders:read', 'visits:read')
  expect((await reading.send('GET /user/reminders/')).status).toBe(200)
  expect((await reading.send('GET /calendar-links/')).status).toBe(200)
  const change = { body: { week: false } }
  const refused = await reading.send('PATCH /user/reminders/', change)
  expect(codeIn(refused)).toEqual([403, 'access_token_scope'])
  const writing = await programWith('reminders:write', 'visits:write')
  expect((await writing.send('PATCH /user/reminders/', change)).body).toMatchObject({ week: false })
  const made = await writing.send('POST /calendar-links/', { body: { name: 'Phone' } })
  expect(codeIn(made)).toEqual([403, 'access_token_never'])
})

test('a refund sent without its currency is in that of the visit', async () => {
  await using testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const insert = (startsAt: string) =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, region: 'usa' })
  const visits = [
    await insert('2026-03-05T15:00:00Z'),
    await insert('2026-03-05T16:00:00Z'),
    await insert('2026-03-05T17:00:00Z'),
  ]
  const [one, other, third] = visits.map(({ id }) => id)
  const shown = { sequence: 0, refund: '60.00' }
  const byPatient = await programOf(testApp, patient)
  const send = (body: object) => byPatient.send(`POST /user/visits/${one}/cancel/`, { body })
  expect((await send({ ...shown, currency: 'GBP' })).body['code']).toBe('terms_changed')
  expect((await send(shown)).body).toMatchObject({ refund: '60.00', currency: 'USD' })
  const byProvider = await programOf(testApp, account)
  const single = { ...shown, reason: 'closed' }
  expect(
    (await byProvider.send(`POST /provider/visits/${other}/cancel/`, { body: single })).body,
  ).toMatchObject({ refund: '60.00', currency: 'USD' })
  const several = { visits: [{ id: third, ...shown }], reason: 'closed' }
  expect((await byProvider.send('POST /provider/visits/cancel/', { body: several })).body).toEqual({
    status: true,
    visits: [{ id: third, cancelled: true, code: null, refund: '60.00', currency: 'USD' }],
  })
})

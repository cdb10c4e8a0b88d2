import { expect, test } from 'vitest'
import { referenceOf } from '#contract/ids.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const START = '2026-03-03T14:30:00.000Z'

async function booked(testApp: TestApp, made: Parameters<typeof makeProvider>[1] = {}) {
  const provider = await makeProvider(testApp, { slots: [Date.parse(START)], ...made })
  const patient = await makePatient(testApp)
  const id = await bookVisit(patient.ctx, { providerId: provider.id, startsAt: START })
  await testApp.drainOutbox()
  const to = (email: string) => testApp.mails.filter((mail) => mail.to === email)
  return { ...patient, provider, id, to }
}

test('the patient gets one mail with everything about the visit and the calendar file', async () => {
  await using testApp = await makeTestApp()
  const { account, caller, id, to } = await booked(testApp, { place: { phone: '020 7946 0000' } })
  const [mail, ...others] = to(account.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Your visit to Dr Amara Okafor is booked')
  for (const line of [
    'When: Tuesday 3 March 2026, 14:30 (London time, GMT)',
    'Who: Dr Amara Okafor',
    'Where: Borough Practice, 12 Harper Road, London, SE1 6ET',
    'Practice phone: 020 7946 0000',
    'Paid: £60.00 (first visit)',
    'If you cancel: Free until Monday 2 March 2026, 14:30 (London time, GMT). After that, cancelling costs £30.00 of £60.00.',
    `Reference: ${referenceOf(id)}`,
    'See, change or cancel this visit:',
    `http://localhost:3000/visit/${id}/`,
  ]) {
    expect(mail?.text).toContain(line)
  }
  expect(mail?.html).toContain('Tuesday 3 March 2026, 14:30 (London time, GMT)')
  const file = await caller.booking.calendar({ id })
  expect(mail?.files).toEqual([
    {
      name: file.fileName,
      type: 'text/calendar; charset=utf-8; method=REQUEST',
      text: expect.stringContaining('METHOD:REQUEST') as unknown,
    },
  ])
})

test('the number a provider registered with is told to nobody, only that of the practice', async () => {
  await using testApp = await makeTestApp()
  const { account, caller, id, to } = await booked(testApp, { phone: '07700 900123' })
  expect((await caller.booking.visit({ id })).provider.phone).toBeNull()
  const { text } = await caller.booking.calendar({ id })
  expect([text, ...to(account.email).map((mail) => mail.text)].join(' ')).not.toMatch(
    /900123|phone/,
  )
})

test('the provider gets a short notice; neither mail says what the visit is about', async () => {
  await using testApp = await makeTestApp()
  const { provider, to, account } = await booked(testApp)
  const [notice] = to(provider.email)
  expect(notice?.subject).toBe('New visit: Tuesday 3 March 2026, 14:30 (London time, GMT)')
  expect(notice?.text).toContain('Patient: Maya Ellis')
  expect(notice?.files).toBeUndefined()
  expect(notice?.text).not.toContain('/visit/')
  expect(testApp.mails).toHaveLength(2)
  for (const mail of testApp.mails) expect(JSON.stringify(mail)).not.toMatch(/cough/)
  expect(notice?.text).not.toContain(account.email)
})

test('what is kept of an email that left does not open the visit', async () => {
  const texts: string[] = []
  const mail = {
    send: ({ text }: { text: string }) => {
      texts.push(text)
      return Promise.resolve('sent' as const)
    },
  }
  await using testApp = await makeTestApp({ mail })
  const { id } = await booked(testApp)
  const [, mac = ''] = new RegExp(`/visit/${id}/([\\w-]{43})`).exec(texts.join(' ')) ?? []
  expect(mac).toHaveLength(43)
  const kept = JSON.stringify(await testApp.database.db.selectFrom('mails').selectAll().execute())
  expect(kept).toContain(`/visit/${id}/[removed]`)
  expect(kept).not.toContain(mac)
})

test('a visit in the USA is told on its own clock', async () => {
  await using testApp = await makeTestApp()
  const { account, to } = await booked(testApp, {
    region: 'usa',
    currency: 'USD',
    amount_minor: 12_050,
    place: { time_zone: 'America/Chicago', locality: 'Austin, TX', postcode: '78704' },
  })
  const [mail] = to(account.email)
  expect(mail?.text).toContain('When: Tuesday, March 3, 2026, 8:30 am (Central Time, CST)')
  expect(mail?.text).toContain('Paid: $120.50 (first visit)')
})

test('when the provider’s mail fails and is tried again, the patient is not told twice', async () => {
  const left: string[] = []
  let refusals = 3
  await using testApp = await makeTestApp({
    mail: {
      send: (mail) => {
        if (mail.to.endsWith('@clinic.example') && refusals-- > 0) {
          return Promise.reject(new UpstreamError('The mail server', new Error('550')))
        }
        left.push(mail.to)
        return Promise.resolve('sent')
      },
    },
  })
  const { account, provider } = await booked(testApp)
  for (let tries = 0; tries < 6; tries += 1) {
    testApp.advance(3_600_000)
    await testApp.drainOutbox()
  }
  expect(left).toEqual([account.email, provider.email])
})

test('whoever has erased their account meanwhile is mailed nothing', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { slots: [Date.parse(START)] })
  const { ctx, account } = await makePatient(testApp)
  await bookVisit(ctx, { providerId: provider.id, startsAt: START })
  await testApp.database.db
    .updateTable('accounts')
    .set({ erased_at: testApp.services.now(), first_name: 'Former', last_name: 'patient' })
    .where('no', '=', account.no)
    .execute()
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to }) => to)).toEqual([provider.email])
  expect(testApp.mails[0]?.text).toContain('Patient: Former patient')
})

test('the demo mailbox shows the file and hands it out', async () => {
  await using testApp = await makeTestApp()
  await booked(testApp)
  const get = (path: string) => testApp.app.fetch(new Request(`http://localhost:3000${path}`))
  const { id } = await testApp.database.db
    .selectFrom('mails')
    .select('id')
    .where('files', '<>', '[]')
    .executeTakeFirstOrThrow()
  const page = await (await get(`/demo/mailbox/${id}`)).text()
  expect(page).toContain(`href="/demo/mailbox/${id}/files/0" download>visit-2026-03-03.ics</a>`)
  const file = await get(`/demo/mailbox/${id}/files/0`)
  expect(file.headers.get('content-type')).toContain('text/calendar')
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="visit-2026-03-03.ics"',
  )
  expect(await file.text()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect((await get(`/demo/mailbox/${id}/files/1`)).status).toBe(404)
})

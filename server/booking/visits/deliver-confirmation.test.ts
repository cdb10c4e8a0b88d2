import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeClinician } from '#tests/harness/clinician.ts'
import { signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
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

test('the patient gets one email with everything about the visit and the calendar file', async () => {
  await using testApp = await makeTestApp()
  const { account, caller, id, to } = await booked(testApp, { place: { phone: '020 7946 0000' } })
  const [mail, ...others] = to(account.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Booked: your visit to Dr Amara Okafor')
  expect(mail?.html).toContain('hidden">Tuesday 3 March 2026, 14:30 (London time, GMT)</div>')
  expect(mail?.html.match(/<a class="button"/g)).toHaveLength(1)
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

test('the provider is told of a visit whose patient cannot be reached', async () => {
  const sent: string[] = []
  const why = Object.assign(new Error('no such mailbox'), { responseCode: 550 })
  const refusal = new UpstreamError('The mail server', why)
  await using testApp = await makeTestApp({
    mail: {
      send: ({ to }) => {
        if (to === 'provider@clinic.example') sent.push(to)
        return to === 'provider@clinic.example' ? Promise.resolve('sent') : Promise.reject(refusal)
      },
    },
  })
  await booked(testApp, { email: 'provider@clinic.example' })
  await testApp.drainOutbox()
  expect(sent).toEqual(['provider@clinic.example'])
  const { db } = testApp.database
  const [waiting] = await db
    .selectFrom('outbox')
    .selectAll()
    .where('topic', '=', 'booking.confirmed')
    .execute()
  expect(waiting).toMatchObject({ attempts: 1, done_at: null, failed_at: null })
  testApp.advance(60_000)
  await testApp.drainOutbox()
  expect(sent).toHaveLength(1)
})

test('emails have the practice’s phone number, never the provider’s own', async () => {
  await using testApp = await makeTestApp()
  const { account, caller, id, to } = await booked(testApp, { phone: '07700 900123' })
  expect((await caller.booking.visit({ id })).provider.phone).toBeNull()
  const { text } = await caller.booking.calendar({ id })
  expect([text, ...to(account.email).map((mail) => mail.text)].join(' ')).not.toMatch(
    /900123|phone/,
  )
})

test('the provider gets a short notice; neither email contains the purpose', async () => {
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

test('the stored copy of a sent email cannot open the visit', async () => {
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

test('a visit in the USA is shown in its local time', async () => {
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

test('when the provider’s email fails and is retried, the patient’s is not sent twice', async () => {
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

test('an account erased meanwhile is not emailed', async () => {
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

test('the demo mailbox shows the file and serves it', async () => {
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

const reason = 'closed' as const

/** The times that the email about a cancelled visit links to, as in their URLs. */
function linksIn(testApp: TestApp): URLSearchParams[] {
  const email = testApp.mails.find(({ subject }) => subject.startsWith('Cancelled: your visit'))
  const found = email?.text.matchAll(/\/appointment\/\S+?\?(\S+)/g) ?? []
  return [...found].map(([, search]) => new URLSearchParams(search))
}

async function cancel(testApp: TestApp, id: string): Promise<void> {
  const { caller } = await signInProvider(testApp)
  const { sequence, refund } = await caller.visits.providerTerms({ id })
  await caller.visits.cancelMany({ visits: [{ id, sequence, refund }], reason })
  await testApp.drainOutbox()
}

describeEngines('the next free times in the email about a cancelled visit', (makeDatabase) => {
  test('are in the local time in which the checkout reads them, that of the main place', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const chicago = { postcode: '60601', locality: 'Chicago', time_zone: 'America/Chicago' }
    const clinician = await makeClinician(testApp, {
      region: 'usa',
      currency: 'USD',
      places: [
        { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
        { name: 'Lake Clinic', ...chicago },
      ],
    })
    const lake = (await clinician.mine()).places[1]?.id ?? ''
    await clinician.save([{ weekday: 2, from: 540, to: 660, placeId: lake }])
    const { ctx } = await makePatient(testApp)
    // Nine in Chicago is ten in New York.
    const id = await bookVisit(ctx, { providerId: clinician.id, startsAt: '2026-03-03T15:00:00Z' })
    await cancel(testApp, id)
    const [next] = linksIn(testApp)
    const slot = { date: next?.get('date') ?? '', time: next?.get('time') ?? '' }
    expect(slot).toEqual({ date: '2026-03-03', time: '10:30' })
    const { booking } = testApp.caller()
    expect(await booking.checkSlot({ providerId: clinician.id, ...slot })).toEqual({
      available: true,
    })
  })

  test('are long enough for its type, which is in the links', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await testApp.database.db
      .insertInto('visit_types')
      .values({
        id: testApp.services.newId('vtp'),
        provider_no: clinician.no,
        position: 1,
        name: 'Long talk',
        minutes: 90,
        first_minor: 12_000,
        follow_minor: 9_000,
        mode: 'both',
      })
      .execute()
    await clinician.save([{ weekday: 2, from: 540, to: 660 }])
    const types = await testApp.caller().profiles.visitTypes({ providerId: clinician.id })
    const typeId = types.find(({ name }) => name === 'Long talk')?.id ?? ''
    const { ctx } = await makePatient(testApp)
    const startsAt = '2026-03-03T09:00:00Z'
    const id = await bookVisit(ctx, { providerId: clinician.id, typeId, startsAt })
    await cancel(testApp, id)
    expect(linksIn(testApp).map((link) => Object.fromEntries(link))).toMatchObject([
      { date: '2026-03-03', time: '09:30', type: typeId },
      { date: '2026-03-10', time: '09:00', type: typeId },
      { date: '2026-03-10', time: '09:30', type: typeId },
    ])
  })
})

import { expect, test } from 'vitest'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

async function setUp(testApp: TestApp) {
  const made = await makePatient(testApp)
  const { pathname } = new URL(unsubscribeUrl(testApp.services, made.account))
  const send = (method: string, path = pathname, headers: Record<string, string> = {}) =>
    testApp.app.fetch(
      new Request(`http://localhost:3000${path}`, {
        method,
        headers,
        ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
      }),
    )
  return { ...made, path: pathname, send }
}

test('a POST from anywhere turns reminders off; a GET changes nothing', async () => {
  await using testApp = await makeTestApp()
  const { caller, send } = await setUp(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, fromHour: 10, discreet: true })
  const page = await send('GET')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toContain('no-store')
  expect((await caller.reminders.settings({})).day).toBe(true)
  const answer = await send('POST', undefined, {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://mail.example',
    'sec-fetch-site': 'cross-site',
  })
  expect(answer.status).toBe(200)
  const chosen = { ...DEFAULT_REMINDERS, fromHour: 10, discreet: true, week: false, day: false }
  expect(await caller.reminders.settings({})).toEqual(chosen)
  const entry = await testApp.database.db
    .selectFrom('audit')
    .select(['actor_kind', 'actor_id', 'entity'])
    .where('action', '=', 'reminders.unsubscribed')
    .executeTakeFirst()
  expect(entry).toMatchObject({ actor_kind: 'patient' })
})

test('a token that was made up, or is another’s, or went to an address of before, is refused', async () => {
  await using testApp = await makeTestApp()
  const { path, send, account, caller } = await setUp(testApp)
  const other = await makePatient(testApp)
  const [, mac = ''] = path.split('.')
  const forged = [
    `/unsubscribe/${other.account.id}.${mac}`,
    `${path}x`,
    '/unsubscribe/nonsense',
    `/unsubscribe/${'a'.repeat(300)}`,
  ]
  for (const one of forged) expect((await send('POST', one)).status).toBe(400)
  await testApp.database.db
    .updateTable('accounts')
    .set({ email: 'new@mail.example' })
    .where('no', '=', account.no)
    .execute()
  expect((await send('POST')).status).toBe(400)
  expect(await caller.reminders.settings({})).toEqual(DEFAULT_REMINDERS)
})

test('settings are kept, and refused where the hours are none that are offered', async () => {
  await using testApp = await makeTestApp()
  const { caller } = await makePatient(testApp)
  const chosen = { week: false, day: true, fromHour: 9, toHour: 18, discreet: true } as const
  expect(await caller.reminders.save(chosen)).toEqual(chosen)
  expect(await caller.reminders.settings({})).toEqual(chosen)
  // @ts-expect-error -- three in the morning
  await expect(caller.reminders.save({ ...chosen, fromHour: 3 })).rejects.toThrow(
    'Check the highlighted answers',
  )
})

test('discreetly neither subjects nor calendars name the provider', async () => {
  await using testApp = await makeTestApp()
  const startsAt = '2026-03-03T14:30:00Z'
  const provider = await makeProvider(testApp, { slots: [Date.parse(startsAt)] })
  const { caller, ctx, account } = await makePatient(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, discreet: true })
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt })
  await testApp.drainOutbox()
  const mail = testApp.mails.find(({ to }) => to === account.email)
  expect(mail?.subject).toBe('Your visit is booked')
  const { text } = await caller.booking.calendar({ id })
  expect(text).toContain('SUMMARY:Appointment')
  for (const one of [text, mail?.files?.[0]?.text]) {
    expect(one).not.toMatch(/Okafor|Borough Practice/)
  }
})

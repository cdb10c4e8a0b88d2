import { expect, test } from 'vitest'
import { makeProviderAccount, signInProviderCaller } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const slot = { startsAt: '2026-03-10T10:00:00Z' }
const ida = {
  kind: 'phone' as const,
  name: 'Ida Rowe',
  phone: '020 7946 0123',
  note: 'Fell on the stairs',
  email: 'ida@mail.example',
  slot,
}

async function open() {
  const testApp = await makeTestApp({ mail: { send: () => Promise.resolve('sent') } })
  const place = { phone: '020 7946 0777' }
  const provider = await makeProvider(testApp, { place })
  const { booking } = await signInProviderCaller(testApp, provider)
  return { testApp, booking, [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose]() }
}

test('a patient with an address is emailed about booking, move and cancellation, with a calendar file each', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { place: { phone: '020 7946 0777' } })
  const { booking } = await signInProviderCaller(testApp, provider)
  const { id, reference } = await booking.addDesk(ida)
  await testApp.drainOutbox()
  await booking.moveDesk({ id, sequence: 0, slot: { startsAt: '2026-03-11T15:20:00Z' } })
  await testApp.drainOutbox()
  await booking.cancelDesk({ id, sequence: 1 })
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ida@mail.example', 'Booked: your visit to Dr Amara Okafor'],
    ['ida@mail.example', 'Moved: your visit to Dr Amara Okafor'],
    ['ida@mail.example', 'Cancelled: your visit to Dr Amara Okafor'],
  ])
  const [first, moved, ended] = testApp.mails
  expect(first?.text).toContain('You booked this visit by phone.')
  expect(first?.text).toContain('call the practice on 020 7946 0777')
  expect(first?.text).toContain(reference)
  expect(moved?.text).toContain('Old time')
  const files = testApp.mails.map((mail) => mail.files?.[0]?.text ?? '')
  expect(files.map((text) => /METHOD:\w+/.exec(text)?.[0])).toEqual([
    'METHOD:REQUEST',
    'METHOD:REQUEST',
    'METHOD:CANCEL',
  ])
  expect(files.map((text) => /SEQUENCE:\d/.exec(text)?.[0])).toEqual([
    'SEQUENCE:0',
    'SEQUENCE:1',
    'SEQUENCE:2',
  ])
  for (const text of files) expect(text).toContain(`UID:${id}@apposite`)
  // No account, no signed link, no note.
  for (const mail of [first, moved, ended]) {
    const all = JSON.stringify(mail)
    expect(all).not.toMatch(/stairs|userProfile|\/visit\/|receipt/)
  }
})

test('a stored email names nobody', async () => {
  await using to = await open()
  // The HTML body has the apostrophe as an entity.
  await to.booking.addDesk({ ...ida, name: "Ida O'Rowe", email: "ida.o'rowe@mail.example" })
  await to.testApp.drainOutbox()
  const rows = await to.testApp.database.db.selectFrom('mails').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toMatch(/Ida|Rowe|rowe/)
})

test('moved to a place in another time zone, its old time keeps its own', async () => {
  await using testApp = await makeTestApp()
  const places = ['America/New_York', 'America/Chicago'].map((zone) => ({ time_zone: zone }))
  const provider = await makeProvider(testApp, { region: 'usa', currency: 'USD', places })
  const { booking, availability } = await signInProviderCaller(testApp, provider)
  const [, second] = (await availability.mine()).places
  const { id } = await booking.addDesk(ida)
  await booking.moveDesk({
    id,
    sequence: 0,
    slot: { startsAt: '2026-03-11T15:20:00Z' },
    ...(second && { placeId: second.id }),
  })
  await testApp.drainOutbox()
  const text = testApp.mails.at(-1)?.text
  expect(text).toContain('Wednesday, March 11, 2026, 10:20 am (Central Time, CDT)')
  expect(text).toContain('Tuesday, March 10, 2026, 6:00 am (Eastern Time, EDT)')
  expect(await booking.desk({ id })).toMatchObject({
    timeZone: 'America/Chicago',
    movedFromZone: 'America/New_York',
  })
})

test('without an address no email is sent', async () => {
  await using testApp = await makeTestApp()
  const { booking } = await signInProviderCaller(testApp, await makeProvider(testApp))
  const { email: _, ...noAddress } = ida
  const { id } = await booking.addDesk(noAddress)
  await booking.moveDesk({ id, sequence: 0, slot: { startsAt: '2026-03-11T15:20:00Z' } })
  await booking.cancelDesk({ id, sequence: 1 })
  await testApp.drainOutbox()
  expect(testApp.mails).toEqual([])
})

describeEngines('a provider who erases the account', (makeDatabase) => {
  test('an erased provider’s desk visits are cancelled and anonymous; patients with an address are emailed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { account } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const put = async (input: object) => {
      const outcome = await browser.act('booking.addDesk', { ...ida, ...input })
      expect(outcome.message).toBeNull()
    }
    await put({})
    await put({ slot: { startsAt: '2026-03-10T11:00:00Z' }, email: undefined })
    await put({ slot: { startsAt: '2026-03-02T08:00:00Z' }, email: undefined })
    await testApp.drainOutbox()
    testApp.mails.length = 0
    const ahead = (await browser.ask('erasure.ahead', {})).data
    expect(ahead).toMatchObject({ count: 0, deskCount: 2 })
    expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
    await testApp.drainOutbox()
    const { db } = testApp.database
    const rows = await db
      .selectFrom('desk_visits')
      .select(['state', 'name', 'phone', 'email', 'note'])
      .orderBy('start_at')
      .execute()
    const blank = { name: '', phone: '', email: '', note: '' }
    expect(rows).toEqual([
      { state: 'confirmed', ...blank },
      { state: 'cancelled', ...blank },
      { state: 'cancelled', ...blank },
    ])
    expect(await db.selectFrom('slot_claims').select('desk_no').execute()).toHaveLength(1)
    const emails = testApp.mails.filter(({ to }) => to === 'ida@mail.example')
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Cancelled: your visit to Dr Amara Okafor',
    ])
    expect(emails[0]?.files?.[0]?.text).toContain('METHOD:CANCEL')
  })
})

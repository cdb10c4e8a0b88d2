import { expect, test } from 'vitest'
import { DataExport } from '#contract/profiles.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { makeAccount, signedInAs } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { dumpTables, makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const CANARY = { first_name: 'Canary', last_name: 'Birdsong', email: 'canary@mail.example' }

/** A patient with a visit, a hold, and a hold with a running payment. */
async function makePatientHistory(testApp: TestApp) {
  const account = await makeAccount(testApp, CANARY)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const ctx = signedInAs(testApp.services, account)
  const starts = [1, 2, 3].map((n) => new Date(testApp.services.now() + n * HOUR).toISOString())
  const slots = starts.map((start) => Date.parse(start))
  const { id: providerId } = await makeProvider(testApp, { slots })
  const [visit = '', held = '', paying = ''] = starts
  await bookVisit(ctx, { providerId, startsAt: visit })
  await holdSlot(ctx, { providerId, startsAt: held, distance: '12.3' })
  const hold = await holdSlot(ctx, { providerId, startsAt: paying })
  await verifyCode(ctx, hold.id)
  await startOpenPayment(ctx, hold.id)
  await testApp.drainOutbox()
  return { browser, ctx, providerId, starts }
}

test('erasing an account anonymises its visits, and keeps terms and payments', async () => {
  await using testApp = await makeTestApp({ mail: { send: () => Promise.resolve('sent') } })
  const { browser } = await makePatientHistory(testApp)
  expect(await dumpTables(testApp)).toMatch(/A cough that will not go away/)
  expect(await dumpTables(testApp)).toMatch(/Canary Birdsong/)
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
  await testApp.drainOutbox()
  expect(await dumpTables(testApp)).not.toMatch(/cough|canary|birdsong|12\.3/i)
  const rows = await testApp.database.db
    .selectFrom('bookings as b')
    .leftJoin('payments as y', 'y.no', 'b.paid_by')
    .leftJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .select(['b.state', 'y.amount_minor', 'c.booking_no as claim'])
    .orderBy('b.no')
    .execute()
  expect(rows.map((row) => [row.state, row.amount_minor, row.claim !== null])).toEqual([
    ['confirmed', 6_000, true],
    ['released', null, false],
    // A payment may still arrive: the sweep releases it once that is ruled out.
    ['held', null, true],
  ])
})

test('the data export has visits and payments', async () => {
  await using testApp = await makeTestApp()
  const { browser, starts } = await makePatientHistory(testApp)
  const taken = DataExport.parse((await browser.act('profiles.exportData')).data)
  expect(taken.visits).toMatchObject([
    {
      state: 'confirmed',
      provider_last_name: 'Okafor',
      place: 'Borough Practice',
      start_at: starts[0],
      purpose: 'A cough that will not go away',
    },
    { state: 'held', distance: '12.3', hold_until: '2026-03-02T09:15:00.000Z' },
    { state: 'held' },
  ])
  expect(taken.payments).toMatchObject([
    { state: 'paid', amount_minor: 6_000, currency: 'GBP', visit_id: taken.visits[0]?.['id'] },
    { state: 'open' },
  ])
  expect(JSON.stringify(taken)).not.toMatch(/client_secret|gw_session/)
})

import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/accounts.ts'
import { makePaidVisit, signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { offerTimes } from '#tests/harness/visits.ts'
import { holdSlot } from './hold/hold-slot.ts'

describeEngines('the links to free times in a cancellation email', (makeDatabase) => {
  test('tell apart two times that clocks show alike', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const starts = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z']
    await offerTimes(
      testApp,
      starts.map((start) => Date.parse(start)),
    )
    const { caller } = await signInProvider(testApp)
    const visits = [{ id, sequence: 0, refund: { minor: 6_000, currency: 'GBP' as const } }]
    await caller.visits.cancelMany({ visits, reason: 'closed' })
    await testApp.drainOutbox()
    const email = testApp.mails.find(({ subject }) => subject.startsWith('Cancelled: your visit'))
    const links = email?.text.match(/\/appointment\/\S+/g) ?? []
    const times = links.map((link) => {
      const { searchParams } = new URL(link, 'http://own.invalid')
      return ['date', 'time', 'fold'].map((name) => searchParams.get(name))
    })
    expect(times).toEqual([
      ['2026-10-25', '01:30', null],
      ['2026-10-25', '01:30', '1'],
      ['2026-10-25', '02:30', null],
    ])
    expect(email?.text).toContain('01:30 (London time, BST)')
    expect(email?.text).toContain('01:30 (London time, GMT)')
  })
})

test.each([
  ['uk', 'Europe/London', '2026-10-25T00:30:00Z', '01:30 BST on Sunday 25 October'],
  ['uk', 'Europe/London', '2026-10-25T01:30:00Z', '01:30 GMT on Sunday 25 October'],
  ['uk', 'Europe/London', '2026-10-25T02:30:00Z', '02:30 on Sunday 25 October'],
  ['usa', 'America/Chicago', '2026-11-01T07:30:00Z', '1:30 am CST on Sunday, November 1'],
] as const)(
  'in %s, %s, an overlap with a visit at %s is said to be at %s',
  async (region, zone, startsAt, when) => {
    await using testApp = await makeTestApp()
    const { ctx } = await makePatient(testApp)
    const offer = { region, place: { time_zone: zone }, slots: [Date.parse(startsAt)] }
    const [one, other] = [await makeProvider(testApp, offer), await makeProvider(testApp, offer)]
    await holdSlot(ctx, { providerId: one.id, startsAt })
    await expect(holdSlot(ctx, { providerId: other.id, startsAt })).rejects.toThrow(
      `You already have an appointment with Dr Amara Okafor at ${when}.`,
    )
  },
)

import { expect, test } from 'vitest'
import { makePaidVisit, signInProvider } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { offerTimes } from '#tests/harness/visits.ts'

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

import { expect, test } from 'vitest'
import { IncomeByDay } from '#contract/payments-review.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

describeEngines('the income of everybody for staff', (makeDatabase) => {
  test('thirty days of bookings and income, each region by its own midnight', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const { no: patientNo } = await makeAccount(testApp)
    const author = await signInDemoStaff(testApp, 'author')
    const paid = async (at: string, rest: { region?: 'uk' | 'usa'; isFollowUp?: boolean } = {}) => {
      const { no } = await insertVisit(testApp, provider, {
        patientNo,
        startsAt: '2026-04-01T09:00:00Z',
        ...rest,
      })
      await testApp.database.db
        .updateTable('bookings')
        .set({ confirmed_at: Date.parse(at) })
        .where('no', '=', no)
        .execute()
    }
    await paid('2026-03-02T08:59:00Z')
    await paid('2026-03-02T00:00:00Z')
    // Still the evening before in New York.
    await paid('2026-03-02T04:59:00Z', { region: 'usa' })
    await paid('2026-02-01T00:30:00Z')
    await paid('2026-01-31T23:30:00Z')
    const { data } = await author.ask('payments.incomeByDay', {})
    const { days, ...sum } = IncomeByDay.parse(data)
    expect(days).toHaveLength(30)
    expect(days[0]?.date).toBe('2026-02-01')
    expect(days.filter(({ bookings }) => bookings > 0)).toEqual([
      { date: '2026-02-01', bookings: 1, income: { GBP: 6_000, USD: 0 } },
      { date: '2026-03-01', bookings: 1, income: { GBP: 0, USD: 6_000 } },
      { date: '2026-03-02', bookings: 2, income: { GBP: 12_000, USD: 0 } },
    ])
    expect(sum).toEqual({ bookings: 4, income: { GBP: 18_000, USD: 6_000 } })
  })
})

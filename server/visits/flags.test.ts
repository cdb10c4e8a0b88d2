import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import { Flagged } from '#contract/visits-flags.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import type { Browser } from '#tests/harness/browser.ts'
import type { MadeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { type CancellationValues, insertVisit } from '#tests/harness/visits.ts'
import { cancelShare } from './rules.ts'

type Cancelled = Omit<CancellationValues, 'at' | 'by'> & {
  patientNo: number
  by?: CancellationValues['by']
  /** How many days ago it was cancelled. */
  ago: number
}

/** Every visit of these tests has its own start. */
function startOf(n: number): string {
  return new Date(Date.parse('2026-03-20T09:00:00Z') + n * 3_600_000).toISOString()
}

async function open(testApp: TestApp) {
  const { provider } = await makeProviderAccount(testApp)
  const now = testApp.services.now()
  let n = 0
  return {
    provider,
    /** A visit of the provider that somebody cancelled. */
    cancelled: async (of: Cancelled, whose: MadeProvider = provider) => {
      n += 1
      const { patientNo, ago, by = 'patient', ...more } = of
      const cancelled = { ...more, by, at: now - ago * DAY_MS }
      await insertVisit(testApp, whose, { patientNo, startsAt: startOf(n), cancelled })
    },
    /** `count` visits of the provider that began `ago` days ago. */
    begun: async (patientNo: number, count: number, ago: number, whose = provider) => {
      for (let left = count; left > 0; left -= 1) {
        const startsAt = new Date(now - ago * DAY_MS - left * 3_600_000).toISOString()
        await insertVisit(testApp, whose, { patientNo, startsAt })
      }
    },
  }
}

async function listFlagged(admin: Browser) {
  const { data, code } = await admin.ask('visits.flagged', {})
  expect(code).toBeNull()
  const count = await admin.ask('visits.flagCount', {})
  const flagged = Flagged.parse(data)
  expect(count.data).toEqual({ accounts: flagged.patients.length + flagged.providers.length })
  return flagged
}

describeEngines('accounts that cancel often', (makeDatabase) => {
  test('shows patients with four free cancellations in thirty days, by them or on their behalf', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const at = await open(testApp)
    const often = await makeAccount(testApp, { email: 'often@mail.example' })
    const seldom = await makeAccount(testApp, { email: 'seldom@mail.example' })
    for (const ago of [1, 5, 29]) {
      await at.cancelled({ patientNo: often.no, ago })
      await at.cancelled({ patientNo: seldom.no, ago })
    }
    const staff = { by: 'staff', reason: 'for_patient' } as const
    await at.cancelled({ patientNo: often.no, ago: 2, ...staff })
    // None of these is a free cancellation by that patient in the period.
    await at.cancelled({ patientNo: seldom.no, ago: 30 })
    await at.cancelled({ patientNo: seldom.no, ago: 2, keptMinor: 3_000 })
    await at.cancelled({ patientNo: seldom.no, ago: 2, by: 'provider' })
    await at.cancelled({ patientNo: seldom.no, ago: 2, by: 'staff', reason: 'for_provider' })
    await at.begun(seldom.no, 60, 3)
    const { patients, providers } = await listFlagged(await signInDemoStaff(testApp, 'admin'))
    expect(patients).toEqual([
      {
        id: often.id,
        name: 'Maya Ellis',
        email: 'often@mail.example',
        freeCancellations: 4,
        lastAt: new Date(testApp.services.now() - DAY_MS).toISOString(),
      },
    ])
    // Two of 70.
    expect(providers).toEqual([])
  })

  test('shows providers who cancelled a twentieth of their visits in ninety days', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const at = await open(testApp)
    const { provider: other, account } = await makeProviderAccount(testApp)
    const patientNo = (await makeAccount(testApp)).no
    // Two of forty are five percent, two of forty-one are less.
    await at.cancelled({ patientNo, ago: 89, by: 'provider' })
    await at.cancelled({ patientNo, ago: 89, by: 'provider' })
    await at.begun(patientNo, 37, 85)
    await at.cancelled({ patientNo, ago: 3 })
    await at.cancelled({ patientNo, ago: 89, by: 'provider' }, other)
    await at.cancelled({ patientNo, ago: 88, by: 'provider' }, other)
    await at.begun(patientNo, 38, 3, other)
    await at.cancelled({ patientNo, ago: 3 }, other)
    // Neither counts: one is before the period, the other upcoming.
    await at.cancelled({ patientNo, ago: 90, by: 'provider' }, other)
    await at.begun(patientNo, 3, 90)
    await at.begun(patientNo, 3, -20)
    const admin = await signInDemoStaff(testApp, 'admin')
    const { providers } = await listFlagged(admin)
    expect(providers).toMatchObject([
      {
        id: at.provider.id,
        name: 'Dr Amara Okafor',
        region: 'uk',
        cancelled: 2,
        visits: 40,
        percent: 5,
        lastAt: new Date(testApp.services.now() - 89 * DAY_MS).toISOString(),
      },
    ])
    const staff = { by: 'staff', reason: 'for_provider' } as const
    await at.cancelled({ patientNo, ago: 1, ...staff }, other)
    const both = await listFlagged(admin)
    expect(both.providers.map(({ cancelled, visits }) => [cancelled, visits])).toEqual([
      [3, 42],
      [2, 40],
    ])
    await testApp.database.db
      .updateTable('accounts')
      .set({ erased_at: testApp.services.now() })
      .where('no', '=', account.no)
      .execute()
    expect((await listFlagged(admin)).providers).toHaveLength(1)
  })

  test('names are shown only to roles that see names, audited; others see the count', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const at = await open(testApp)
    const patientNo = (await makeAccount(testApp)).no
    for (const ago of [1, 2, 3]) await at.cancelled({ patientNo, ago, by: 'provider' })
    const author = await signInDemoStaff(testApp, 'author')
    expect((await author.ask('visits.flagged', {})).code).toBe('admins_only')
    expect((await author.ask('visits.flagCount', {})).data).toEqual({ accounts: 1 })
    await listFlagged(await signInDemoStaff(testApp, 'admin'))
    const lines = await testApp.database.db
      .selectFrom('audit')
      .select(['actor_kind', 'details'])
      .where('action', '=', 'visit.flags_read')
      .execute()
    expect(lines).toEqual([{ actor_kind: 'staff', details: '{"rows":1}' }])
  })
})

test.each([
  [0, 0, 0, false],
  [0, 40, 0, false],
  // One is never enough; two are enough from twenty visits on, three with any number.
  [1, 1, 100, false],
  [1, 20, 5, false],
  [2, 2, 100, false],
  [2, 19, 10.5, false],
  [2, 20, 10, true],
  [2, 40, 5, true],
  [2, 41, 4.9, false],
  [3, 3, 100, true],
  [3, 60, 5, true],
  [3, 61, 4.9, false],
])('%i of %i visits is %d percent, flagged: %s', (cancelled, visits, percent, isFlagged) => {
  expect(cancelShare(cancelled, visits)).toEqual({ percent, isFlagged })
})

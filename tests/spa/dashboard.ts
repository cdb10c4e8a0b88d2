import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'
import type { ProviderOverrides, VisitsOptions } from '#tests/harness/spa/spa-wire.ts'

type Visits = Omit<VisitsOptions['visits'][number], 'patientNo'>[]

/** Signs in a provider with these visits, and opens one of their pages. */
export async function openDashboard(
  testApp: Backend,
  address: string,
  { visits = [], overrides = {} }: { visits?: Visits; overrides?: ProviderOverrides } = {},
) {
  const provider = await testApp.addProvider(overrides)
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    first_name: 'Amara',
    provider_no: provider.no,
  })
  const patient = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  await testApp.insertVisits({
    provider,
    visits: visits.map((visit) => ({ patientNo: patient.no, ...visit })),
  })
  return { ...(await openSignedIn(account, address)), provider, account, patient }
}

/** One visit a day for `count` days up to 28 February 2026, latest first. */
export function dailyVisits(count: number): Visits {
  return Array.from({ length: count }, (_, n) => ({
    startsAt: new Date(Date.UTC(2026, 1, 28 - n, 10)).toISOString(),
  }))
}

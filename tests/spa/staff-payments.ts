import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import type { VisitsOptions } from '#tests/harness/spa/spa-wire.ts'
import { openStaff } from './staff.ts'

type Visits = Omit<VisitsOptions['visits'][number], 'patientNo'>[]

/** Signs in a member of staff and opens one of their pages; the books have these visits. */
export async function openPayments(
  testApp: Backend,
  role: StaffRole,
  { address, visits = [] }: { address: string; visits?: Visits },
) {
  const provider = await testApp.addProvider({})
  const patient = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  await testApp.insertVisits({
    provider,
    visits: visits.map((visit) => ({ patientNo: patient.no, ...visit })),
  })
  return { ...(await openStaff(testApp, role, address)), patient }
}

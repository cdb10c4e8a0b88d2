import { expect } from 'vitest'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa-bridge.ts'
import { openPage } from '#tests/harness/spa-page.tsx'
import type { VisitsWish } from '#tests/harness/spa-wire.ts'
import { addStaff, signInAsStaff } from './staff.ts'

type Visits = Omit<VisitsWish['visits'][number], 'patientNo'>[]

/** Signs somebody of staff in and opens a page of theirs; the books have these visits. */
export async function openPayments(
  world: Backend,
  role: StaffRole,
  { address, visits = [] }: { address: string; visits?: Visits },
) {
  const provider = await world.addProvider({})
  const patient = await world.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  const email = `${role}@demo.example`
  await addStaff(world, role, { email })
  await world.writeVisits({
    provider,
    visits: visits.map((visit) => ({ patientNo: patient.no, ...visit })),
  })
  const opened = await openPage(`/admin-signin?next=${encodeURIComponent(address)}`)
  await signInAsStaff(email)
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(address, location.origin).pathname)
  return { ...opened, patient }
}

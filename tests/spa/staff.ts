import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/base/staff.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import type { AccountOverrides, VisitsOptions } from '#tests/harness/spa/spa-wire.ts'

/** An account of staff, named after the role, that signs in with the password of all test accounts. */
export function addStaff(testApp: Backend, role: StaffRole, overrides: AccountOverrides = {}) {
  const email = `${role}@staff.example`
  return testApp.addAccount({ email, kind: 'staff', role, date_of_birth: null, ...overrides })
}

/** Fills in the staff's open sign-in form and submits it. */
export async function signInAsStaff(email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Opens a staff page, signed in with that address. */
export function openAs(email: string, address: string) {
  return openSignedIn({ email, kind: 'staff' }, address)
}

/** Adds a member of staff with a role and opens a staff page as them. */
export async function openStaff(testApp: Backend, role: StaffRole, address: string) {
  const account = await addStaff(testApp, role)
  return { ...(await openAs(account.email, address)), account }
}

type Visits = Omit<VisitsOptions['visits'][number], 'patientNo'>[]

/** Signs in a member of staff and opens one of their pages, with these visits in the database. */
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

/** Calls a mutation as the signed-in user, as from another tab. */
export async function mutateDirectly(path: string, input: object): Promise<number> {
  const { status } = await fetch(`/trpc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return status
}

/** Opens the gallery as a member of staff. */
export async function openGallery(testApp: Backend, role: StaffRole = 'editor') {
  const { email } = await addStaff(testApp, role, { email: `${role}@demo.example` })
  await mutateDirectly('auth.enterDemo', { email })
  return openPage('/admin-home/gallery')
}

/** A PNG file of one colour; another colour makes a different image. */
export async function pictureFile(color: string, name = 'front-door.png'): Promise<File> {
  const canvas = new OffscreenCanvas(900, 560)
  const drawing = canvas.getContext('2d')
  if (drawing === null) throw new Error('There is no 2D canvas.')
  drawing.fillStyle = color
  drawing.fillRect(0, 0, 900, 560)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], name, { type: 'image/png' })
}

/** The section of the page with this heading. */
export const part = (name: string) => page.getByRole('region', { name })

import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openStaff } from '#tests/spa/staff.ts'

/** A patient with four free cancellations, and a provider who cancelled three visits of seven. */
async function cancelOften(testApp: Backend) {
  const provider = await testApp.addProvider()
  await testApp.addAccount({
    email: provider.email,
    kind: 'provider',
    date_of_birth: null,
    provider_no: provider.no,
  })
  const { no: patientNo } = await testApp.addAccount({ email: 'maya@mail.example' })
  const visits = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    patientNo,
    startsAt: `2026-03-1${n}T09:00:00Z`,
    cancelled: { by: n > 4 ? ('provider' as const) : ('patient' as const) },
  }))
  await testApp.insertVisits({ provider, visits })
  return provider
}

test('who cancels often is shown with the figures, and leads to the account and its visits', async ({
  testApp,
}) => {
  const provider = await cancelOften(testApp)
  const { router } = await openStaff(testApp, 'admin', '/admin-home')
  await expect.element(page.getByText('Nothing needs attention.')).toBeVisible()
  await page.getByRole('link', { name: /^2 ?accounts cancel often$/ }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/cancellations')
  const patients = page.getByRole('region', { name: 'Patients' })
  await expect.element(patients.getByText('4 free cancellations', { exact: true })).toBeVisible()
  await expect
    .element(patients.getByRole('link', { name: 'Cancelled visits of Maya Ellis' }))
    .toHaveAttribute('href', '/admin-home/payments?search=maya%40mail.example&state=cancelled')
  const providers = page.getByRole('region', { name: 'Providers' })
  await expect.element(providers.getByText('3 of 7 visits (42.9%)')).toBeVisible()
  await expect
    .element(providers.getByRole('link', { name: 'Account of Dr Amara Okafor' }))
    .toHaveAttribute('href', `/admin-home/providers/${provider.id}`)
})

test('whoever sees no names sees how many there are, and why no more', async ({ testApp }) => {
  await cancelOften(testApp)
  const { router } = await openStaff(testApp, 'editor', '/admin-home')
  await expect.element(page.getByText('accounts cancel often')).toBeVisible()
  await router.navigate({ to: '/admin-home/cancellations' })
  await expect.element(page.getByText('Only superusers and admins may do this.')).toBeVisible()
  await expect.element(page.getByText('maya@mail.example')).not.toBeInTheDocument()
})

test('where nobody does, that is said', async ({ testApp }) => {
  await openStaff(testApp, 'admin', '/admin-home/cancellations')
  await expect.element(page.getByText('No patient cancels that often.')).toBeVisible()
  await expect.element(page.getByText('No provider cancels that often.')).toBeVisible()
})

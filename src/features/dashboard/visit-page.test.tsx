import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

const part = (name: string) => page.getByRole('region', { name })
const visits = [
  { startsAt: '2026-03-02T14:30:00Z' },
  { startsAt: '2025-11-04T10:00:00Z', isFollowUp: true },
]

test('a visit of today opens from the day: who, how to reach them, what else they had', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/dochome', { visits })
  await part('Today').getByRole('link', { name: 'Maya Ellis' }).click()
  await expect.poll(() => router.state.location.pathname).toMatch(/^\/doctor\/visits\/apt_/)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Maya Ellis' })).toBeVisible()
  await expect
    .element(part('Visit'))
    .toMatchTextContent(/Monday 2 March 2026.*14:30 to 15:00.*First visit.*£60\.00 by card/)
  const patient = part('Patient')
  await expect
    .element(patient.getByRole('link', { name: '020 7946 0123' }))
    .toHaveAttribute('href', 'tel:02079460123')
  await expect
    .element(patient.getByRole('link', { name: /@mail\.example$/ }))
    .toHaveAttribute('href', expect.stringMatching(/^mailto:/))
  await expect.element(patient).toMatchTextContent('Age37 years')
  expect(document.body.textContent).not.toContain('A cough')
  await part('Visit').getByRole('button', { name: 'Show purpose of Maya Ellis' }).click()
  await expect.element(part('Visit')).toMatchTextContent('A cough that will not go away')
  await part('Other visits with you').getByRole('link', { name: 'Tuesday 4 November 2025' }).click()
  await expect.element(part('Visit')).toMatchTextContent(/Follow-upSays they have seen you before/)
  await expect.element(page.getByText('Over', { exact: true })).toBeVisible()
})

test('a visit of the past opens from the history', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/appointment-history', {
    visits: visits.slice(1),
  })
  await page.getByRole('link', { name: 'Open 1, Maya Ellis, 04/11/2025' }).click()
  await expect.poll(() => router.state.location.pathname).toMatch(/^\/doctor\/visits\/apt_/)
  await expect.element(part('Patient')).toBeVisible()
})

test('the visit of somebody else is not found, and the page leads back', async ({ testApp }) => {
  await openDashboard(testApp, `/doctor/visits/apt_${'0'.repeat(26)}`)
  await expect.element(page.getByText('This visit did not load')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Back to Booked History' }))
    .toHaveAttribute('href', '/doctor/appointment-history')
})

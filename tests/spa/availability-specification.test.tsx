import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'

// Follows the specification: what sections 2 and 5 say about availability.

async function openAs(testApp: Backend, address: string) {
  const { no, email } = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no: no })
  return openSignedIn(account, address)
}

test.for([
  { route: '/doctor/availability/new', label: 'Add New Availability' },
  { route: '/doctor/availability/all', label: 'All Availabilities' },
])(
  '2 and 5: the sidebar leads to $route ($label), in the submenu Appointments',
  async ({ route, label }, { testApp }) => {
    const { router } = await openAs(testApp, '/dochome')
    const menu = page.getByRole('navigation', { name: 'Provider' })
    await expect
      .element(menu.getByRole('button', { name: 'Appointments', exact: true }))
      .toHaveAttribute('aria-expanded', 'true')
    await menu.getByRole('link', { name: label, exact: true }).click()
    await expect.poll(() => router.state.location.pathname).toBe(route)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(label)
    await expect
      .element(menu.getByRole('link', { name: label, exact: true }))
      .toHaveAttribute('aria-current', 'page')
    await expect.poll(() => document.title).toBe(`${label} · Apposite`)
  },
)

import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

// What the server writes into the page of a real installation; read once, so before the first page.
const config = document.createElement('script')
config.type = 'application/json'
config.id = 'site-config'
config.textContent = JSON.stringify({ demo: false })
document.head.append(config)

test('with the demo off / leads to /home, and no door is in the way', async () => {
  const { router } = await openPage('/', { isInside: false })
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await router.navigate({ to: '/contact-us' })
  await expect.element(page.getByRole('heading', { name: 'Contact us' })).toBeVisible()
})

test('with the demo off nothing says Demo', async () => {
  await openPage('/about-us', { isInside: false })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.element(page.getByText('Demo', { exact: true })).not.toBeInTheDocument()
})

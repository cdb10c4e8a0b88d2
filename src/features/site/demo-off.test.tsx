import { afterAll, beforeAll, expect } from 'vitest'
import { page } from 'vitest/browser'
import { setSiteConfig, type siteConfig } from '#app/lib/site-config.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

const config = document.createElement('script')
config.type = 'application/json'
config.id = 'site-config'
config.textContent = JSON.stringify({ demo: false })

// The site configuration in the page is read once, and earlier test files have read it: a fresh copy of the
// module reads it again, as in a newly opened page.
beforeAll(async () => {
  document.head.append(config)
  const path = `/src/lib/site-config.ts?opened=${Date.now()}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const opened = (await import(/* @vite-ignore */ path)) as { siteConfig: typeof siteConfig }
  setSiteConfig(opened.siteConfig())
})

afterAll(() => {
  config.remove()
  setSiteConfig({})
})

test('with the demo off / leads to /home, and no door is in the way', async () => {
  const { router } = await openPage('/', { hasDemoAccess: false })
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await router.navigate({ to: '/contact-us' })
  await expect.element(page.getByRole('heading', { name: 'Contact us' })).toBeVisible()
})

test('with the demo off nothing says Demo', async () => {
  await openPage('/about-us', { hasDemoAccess: false })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.element(page.getByText('Demo', { exact: true })).not.toBeInTheDocument()
})

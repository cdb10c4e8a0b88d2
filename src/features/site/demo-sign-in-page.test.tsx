import { describe, expect } from 'vitest'
import { page } from 'vitest/browser'
import { DEVELOPMENT_SITE } from '#app/lib/site-config.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

const outside = { hasDemoAccess: false }
const real = { ...outside, site: { ...DEVELOPMENT_SITE, demo: false } }
const look = () => page.getByRole('button', { name: 'Just look around' })

test.for(['/home', '/results?postcode=SE1', '/sign-in', '/userProfile', '/contact-us'])(
  'without the demo cookie %s leads to the door',
  async (address) => {
    const { router } = await openPage(address, outside)
    await expect.element(look()).toBeVisible()
    expect(router.state.location.pathname).toBe('/')
  },
)

test.for(['/verify/abc', '/reset-password/abc'])('%s is never behind the door', async (address) => {
  const { router } = await openPage(address, outside)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(router.state.location.pathname).not.toBe('/')
})

test('looking around opens the door and leads to what was wanted', async () => {
  const { router } = await openPage('/contact-us', outside)
  await look().click()
  await expect.poll(() => router.state.location.pathname).toBe('/contact-us')
  expect(document.cookie).toContain('demo_access_token=')
  expect(document.cookie).not.toContain('user_id=')
})

test('one press enters as the demo patient', async ({ testApp }) => {
  const { id } = await testApp.addAccount({ email: 'patient@demo.example' })
  const { router } = await openPage('/', outside)
  await page.getByRole('button', { name: /^Enter as a patient/ }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  expect(document.cookie).toContain(`user_id=${id}`)
})

test('the door has one press for every role', async () => {
  await openPage('/', outside)
  for (const role of [
    'a patient',
    'a provider',
    'a superuser',
    'an admin',
    'an editor',
    'an author',
  ]) {
    const button = page.getByRole('button', { name: new RegExp(`^Enter as ${role}`) })
    await expect.element(button.first()).toBeVisible()
  }
})

test('staff come in to what needs doing, and to an account that offers them what staff may do', async ({
  testApp,
}) => {
  await testApp.addAccount({ email: 'editor@demo.example', kind: 'staff', role: 'editor' })
  const { router } = await openPage('/', outside)
  await page.getByRole('button', { name: /^Enter as an editor/ }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home')
  await expect.element(page.getByRole('heading', { name: 'What needs doing' })).toBeVisible()
  await router.navigate({ to: '/userProfile', search: { section: 'security' } })
  await expect.element(page.getByRole('heading', { name: 'Password' })).toBeVisible()
  await router.navigate({ to: '/userProfile', search: { section: 'details' } })
  await expect.element(page.getByRole('heading', { name: 'Password' })).not.toBeInTheDocument()
  for (const name of ['Visits', 'Photo', 'Delete your account']) {
    await expect.element(page.getByRole('heading', { name })).not.toBeInTheDocument()
  }
})

describe('with the demo off', () => {
  test('/ leads to /home, and no door is in the way', async () => {
    const { router } = await openPage('/', real)
    await expect.poll(() => router.state.location.pathname).toBe('/home')
    await router.navigate({ to: '/contact-us' })
    await expect.element(page.getByRole('heading', { name: 'Contact us' })).toBeVisible()
  })

  test('nothing says Demo', async () => {
    await openPage('/about-us', real)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(page.getByText('Demo', { exact: true })).not.toBeInTheDocument()
  })
})

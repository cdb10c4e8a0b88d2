import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa-bridge.ts'
import { openPage } from '#tests/harness/spa-page.tsx'

const outside = { isInside: false }
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

test('one press enters as the demo patient', async ({ world }) => {
  const { id } = await world.addAccount({ email: 'patient@demo.example' })
  const { router } = await openPage('/', outside)
  await page.getByRole('button', { name: /^Enter as a patient/ }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  expect(document.cookie).toContain(`user_id=${id}`)
})

test('the door shows nobody whose screens do not exist', async () => {
  await openPage('/', outside)
  await expect.element(page.getByRole('button', { name: /^Enter as a patient/ })).toBeVisible()
  expect(page.getByRole('button', { name: /^Enter as/ }).elements()).toHaveLength(4)
  await expect.element(page.getByText('superuser@demo.example')).not.toBeInTheDocument()
})

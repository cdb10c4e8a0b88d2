import { afterEach, expect, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'

afterEach(() => vi.restoreAllMocks())

const toggle = () => page.getByRole('banner').getByRole('button', { name: 'Maya' })
const entry = (name: string) => page.getByRole('banner').getByRole('button', { name, exact: true })
const question = () => page.getByRole('dialog', { name: 'Are you sure you want to logout?' })

test('signed in, the header shows the first name and the menu of the specification', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await toggle().click()
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true')
  await expect
    .element(page.getByRole('banner').getByRole('link', { name: 'Profile' }))
    .toHaveAttribute('href', '/userProfile')
  await expect.element(entry('Logout')).toBeVisible()
  await expect.element(entry('Demo Logout')).toBeVisible()
  await expect.element(page.getByRole('banner').getByText('Log in')).not.toBeInTheDocument()
})

test('the menu closes on a click outside it and on Escape', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await toggle().click()
  await page.getByRole('main').click()
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false')
  await toggle().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false')
  await expect.element(toggle()).toHaveFocus()
})

test('Logout asks; No changes nothing, Yes removes exactly the documented keys and goes to /home', async ({
  testApp,
}) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await toggle().click()
  await entry('Logout').click()
  await question().getByRole('button', { name: 'No' }).click()
  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(toggle()).toHaveFocus()
  expect(document.cookie).toContain('user_id=')

  await toggle().click()
  await entry('Logout').click()
  await question().getByRole('button', { name: 'Yes' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await expect.element(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(document.cookie).not.toContain('user_id=')
  expect(document.cookie).toContain('demo_access_token=')
  expect(localStorage.getItem('isLoggedIn')).toBe('false')
  expect(localStorage.getItem('ProfileEmail')).toBeNull()
  expect(localStorage.getItem('ProfilePhone')).toBeNull()
  expect(localStorage.getItem('firstName')).toBe('Maya')
})

test('Demo Logout removes demo and regular tokens and goes to the door', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await toggle().click()
  await entry('Demo Logout').click()
  await expect.poll(() => router.state.location.pathname).toBe('/')
  expect(document.cookie).not.toContain('user_id=')
  expect(document.cookie).not.toContain('demo_access_token=')
})

test('the footer shows LOGOUT while there is a user_id cookie, and asks as the menu does', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  const footer = page.getByRole('contentinfo')
  await expect.element(footer.getByText('REGISTER')).not.toBeInTheDocument()
  await footer.getByRole('button', { name: 'LOGOUT' }).click()
  await question().getByRole('button', { name: 'Yes' }).click()
  await expect.element(footer).toMatchTextContent(/LOGIN \/ REGISTER/)
})

test('below 960 pixels the entries stand in the menu behind the toggle', async ({ testApp }) => {
  onTestFinished(() => page.viewport(1280, 900))
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await page.viewport(360, 800)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect.element(entry('Logout')).toBeVisible()
  await entry('Logout').click()
  await expect.element(question()).toBeVisible()
})

test('an access token that has run out is renewed once, and everything asked is answered', async ({
  testApp,
}) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await testApp.expireCookie('access_token')
  const asked = vi.spyOn(globalThis, 'fetch')
  await router.navigate({ to: '/userProfile', search: { section: 'security' } })
  await expect.element(page.getByText('This device')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create a token' })).toBeVisible()
  const refreshes = asked.mock.calls.filter(([address]) => address === '/trpc/auth.refresh')
  expect(refreshes).toHaveLength(1)
})

test('a session that is over leads to the sign-in page and back', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await testApp.expireCookie('access_token')
  await testApp.expireCookie('refresh_token')
  await router.navigate({ to: '/userProfile' })
  await expect
    .element(page.getByText('Your session has ended. Please sign in again.'))
    .toBeVisible()
  expect(document.cookie).not.toContain('user_id=')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  expect(router.state.location.href).toBe('/sign-in?next=%2FuserProfile')
})

test('without a session the account asks to sign in first', async () => {
  const { router } = await openPage('/userProfile')
  await expect.element(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
  expect(router.state.location.href).toBe('/sign-in?next=%2FuserProfile')
})

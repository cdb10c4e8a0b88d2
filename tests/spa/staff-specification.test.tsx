import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import {
  changeResponses,
  delayRequests,
  failRequests,
  recordMutations,
  recordRequests,
} from './fake-network.ts'
import { addStaff, openStaff, signInAsStaff } from './staff.ts'

// Follows the specification: what sections 2, 4, 5, 6 and 8 say about how staff sign in, how their pages are
// protected, and how they log out.

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const ADMIN_ROUTES = [
  '/admin-home',
  '/admin-home/providers',
  '/admin-home/providers/verified',
  '/admin-home/providers/prv_1',
  '/admin-home/verified-provider/prv_1/uk',
  '/admin-home/gallery',
  '/admin-home/payments',
  '/admin-home/superusers',
] as const

const email = () => page.getByRole('textbox', { name: 'Email' })
const password = () => page.getByRole('textbox', { name: 'Password' })
const signIn = () => page.getByRole('button', { name: 'Sign In', exact: true })
const heading = () => page.getByRole('heading', { level: 1 })
const marker = () => localStorage.getItem('adminAccessToken')

test.for(ADMIN_ROUTES)(
  '2: %s requires a stored admin access token and otherwise redirects to the admin sign-in route',
  async (address) => {
    const { router } = await openPage(address)
    await expect.element(signIn()).toBeVisible()
    expect(router.state.location.pathname).toBe('/admin-signin')
    expect(router.state.location.search).toEqual({ next: address })
  },
)

test('2: the admin sign-in route is unguarded, also for those who have not passed the demo entrance', async () => {
  const { router } = await openPage('/admin-signin', { hasDemoAccess: false })
  await expect.element(heading()).toHaveTextContent('Staff sign in')
  expect(router.state.location.pathname).toBe('/admin-signin')
})

test('2: email and password fields, a show/hide password toggle, a Sign In button', async () => {
  await openPage('/admin-signin')
  await expect.element(email()).toHaveAttribute('type', 'email')
  await expect.element(password()).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(password()).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect.element(password()).toHaveAttribute('type', 'password')
  await expect.element(signIn()).toBeEnabled()
})

test('2: the Sign In button has a spinner while busy', async ({ testApp }) => {
  const account = await addStaff(testApp, 'admin')
  await openPage('/admin-signin')
  const letGo = delayRequests('auth.signInStaff')
  await signInAsStaff(account.email)
  await expect.element(signIn()).toHaveAttribute('aria-busy', 'true')
  expect(signIn().element().querySelector('svg, [class*=animate-spin]')).not.toBeNull()
  letGo()
  await expect.element(heading()).toHaveTextContent('What needs doing')
})

test('2: on success it stores the access token and goes to /admin-home', async ({ testApp }) => {
  const account = await addStaff(testApp, 'admin')
  const { router } = await openPage('/admin-signin')
  const writes = recordMutations()
  await signInAsStaff(account.email.toUpperCase())
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home')
  // Only a marker of being signed in: the token itself is in an HttpOnly cookie.
  expect(marker()).toBe('1')
  const sent = writes.find(({ address }) => address.includes('auth.signInStaff'))
  expect(sent?.response).not.toContain('token')
  expect(sent?.sent).toContain(account.email)
})

test('2: if a token already exists it goes straight to /admin-home', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'author', '/admin-home/gallery')
  await router.navigate({ to: '/admin-signin' })
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home')
})

test('5: email required and in email format; password required', async () => {
  await openPage('/admin-signin')
  const asked = recordRequests()
  await signIn().click()
  const summary = page.getByRole('alert').first()
  await expect.element(summary.getByText('Enter your email address.')).toBeVisible()
  await expect.element(summary.getByText('Enter your password.')).toBeVisible()
  await email().fill('superuser')
  await password().fill('x')
  await signIn().click()
  await expect.element(summary.getByText('Enter a valid email address.')).toBeVisible()
  expect(asked.filter((address) => address.includes('signInStaff'))).toEqual([])
})

test('8: the server’s error text', async ({ testApp }) => {
  const account = await addStaff(testApp, 'admin')
  await openPage('/admin-signin')
  await signInAsStaff(account.email, 'eight green bottles')
  const said = page.getByText('Email or password is incorrect.', { exact: true })
  await expect.element(said).toBeVisible()
  expect(marker()).toBeNull()
})

test('8: or ‘Login failed’ where the server sent none', async () => {
  await openPage('/admin-signin')
  const original = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : input.toString()
    if (!address.includes('auth.signInStaff')) return original(input, init)
    return Promise.resolve(Response.json({ odd: true }, { status: 502 }))
  })
  await signInAsStaff('a@b.example')
  await expect.element(page.getByText('Login failed', { exact: true })).toBeVisible()
})

test('8: with no response ‘Something went wrong. Try again.’', async () => {
  await openPage('/admin-signin')
  failRequests('auth.signInStaff')
  await signInAsStaff('a@b.example')
  await expect
    .element(page.getByText('Something went wrong. Try again.', { exact: true }))
    .toBeVisible()
  await expect.element(email()).toHaveValue('a@b.example')
})

test('2: a Logout button that clears the stored access token and goes to the admin sign-in route', async ({
  testApp,
}) => {
  const { router } = await openStaff(testApp, 'editor', '/admin-home/gallery')
  await page.getByRole('banner').getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.element(signIn()).toBeVisible()
  expect(router.state.location.pathname).toBe('/admin-signin')
  expect(marker()).toBeNull()
  expect(document.cookie).not.toContain('user_id')
  await router.navigate({ to: '/admin-home' })
  await expect.poll(() => router.state.location.pathname).toBe('/admin-signin')
})

test('after signing out the session is no longer polled', async ({ testApp }) => {
  await openStaff(testApp, 'editor', '/admin-home/gallery')
  const real = globalThis.fetch.bind(globalThis)
  const asked: string[] = []
  let leave = () => {}
  const held = new Promise<void>((resolve) => {
    leave = resolve
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const address = request[0] instanceof Request ? request[0].url : String(request[0])
    asked.push(address.replace(/^.*\/trpc\/|\?.*$/g, ''))
    if (address.includes('auth.signOut')) await held
    return real(...request)
  })
  await expect.poll(() => asked).toContain('auth.sessionStatus')
  await page.getByRole('banner').getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.poll(() => asked).toContain('auth.signOut')
  asked.length = 0
  // Otherwise two more polls would happen in this time.
  await new Promise((resolve) => setTimeout(resolve, 2_200))
  expect(asked).toEqual([])
  leave()
  await expect.element(signIn()).toBeVisible()
  expect(asked.filter((call) => call.includes('auth.sessionStatus'))).toEqual([])
})

test('4: on a 401 the request is retried once after refreshing the token', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'admin', '/admin-home/mail')
  await expect.element(page.getByText('Everything was delivered')).toBeVisible()
  await testApp.expireCookie('access_token')
  const asked = recordRequests()
  await router.navigate({ to: '/admin-home/mail', search: { page: 2 } })
  const calls = () =>
    asked
      .flatMap((address) => address.replace(/^.*\/trpc\/|\?.*$/g, '').split(','))
      .filter((call) => call !== 'auth.sessionStatus')
  await expect.poll(calls).toEqual(['messages.failed', 'auth.refresh', 'messages.failed'])
  await expect.element(page.getByText('Everything was delivered')).toBeVisible()
  expect(marker()).toBe('1')
})

test('4: if the refresh fails, the token is removed and the user goes to the admin sign-in route', async ({
  testApp,
}) => {
  const { router } = await openStaff(testApp, 'admin', '/admin-home/gallery')
  await testApp.expireCookie('access_token')
  await testApp.expireCookie('refresh_token')
  await router.navigate({ to: '/admin-home/mail' })
  await expect.element(signIn()).toBeVisible()
  expect(router.state.location.pathname).toBe('/admin-signin')
  expect(router.state.location.search).toMatchObject({ next: '/admin-home/mail', why: 'ended' })
  await expect.element(page.getByText('Your session has ended')).toBeVisible()
  expect(marker()).toBeNull()
})

test('6: any holder of the admin token reaches all admin screens', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'author', '/admin-home')
  const menu = page.getByRole('navigation', { name: 'Staff' })
  for (const [name, path] of [
    ['Providers', '/admin-home/providers'],
    ['Gallery', '/admin-home/gallery'],
    ['Payments', '/admin-home/payments'],
    ['Contested visits', '/admin-home/claims'],
    ['Cancellations', '/admin-home/cancellations'],
    ['Super users', '/admin-home/superusers'],
    ['Audit log', '/admin-home/audit'],
    ['Failed emails', '/admin-home/mail'],
    ['Home', '/admin-home'],
  ] as const) {
    await menu.getByRole('link', { name, exact: true }).click()
    await expect.poll(() => router.state.location.pathname).toBe(path)
    await expect
      .element(menu.getByRole('link', { name, exact: true }))
      .toHaveAttribute('aria-current', 'page')
    await expect.element(heading()).toBeVisible()
    await expect.element(page.getByText('Unexpected Application Error!')).not.toBeInTheDocument()
  }
})

test('6: a patient who opens an admin route reads that it is for staff', async ({ testApp }) => {
  const account = await testApp.addAccount()
  const { router } = await openSignedIn(account, '/userProfile')
  await router.navigate({ to: '/admin-home/payments' })
  await expect.element(page.getByText('You are signed in as a patient')).toBeVisible()
  expect(router.state.location.pathname).toBe('/admin-signin')
  expect(router.state.location.search).toEqual({ next: '/admin-home/payments' })
})

test('on a phone the menu is a drawer, by keyboard as well', async ({ testApp }) => {
  await page.viewport(360, 740)
  const { router } = await openStaff(testApp, 'superuser', '/admin-home')
  const open = page.getByRole('button', { name: 'Staff menu' })
  await open.click()
  const drawer = page.getByRole('dialog', { name: 'Staff menu' })
  await expect.element(drawer.getByText('superuser', { exact: true })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(drawer).not.toBeInTheDocument()
  await expect.element(open).toHaveFocus()
  await open.click()
  await drawer.getByRole('link', { name: 'Failed emails' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/mail')
  await expect.element(drawer).not.toBeInTheDocument()
  await open.click()
  await expect.element(drawer).toBeVisible()
  await router.navigate({ to: '/admin-home' })
  await expect.element(drawer).not.toBeInTheDocument()
})

test('without an authenticator app, staff set one up before their pages open', async ({
  testApp,
}) => {
  const account = await addStaff(testApp, 'superuser')
  const { router } = await openPage('/admin-signin')
  // As the response of an installation without demo mode.
  changeResponses((answer) =>
    answer.replace('"must_set_second_factor":false', '"must_set_second_factor":true'),
  )
  await signInAsStaff(account.email)
  await expect.element(page.getByText('Set up an authenticator app to continue')).toBeVisible()
  expect(router.state.location.pathname).toBe('/admin-signin')
  expect(marker()).toBeNull()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect.element(page.getByText('1. Add Apposite to your app')).toBeVisible()
  await router.navigate({ to: '/admin-home' })
  await expect.poll(() => router.state.location.pathname).toBe('/admin-signin')
})

test('a first password is replaced before the staff pages open', async ({ testApp }) => {
  const account = await addStaff(testApp, 'editor', { must_change_password: 1 })
  const { router } = await openPage('/admin-signin?next=/admin-home/gallery')
  await signInAsStaff(account.email)
  const question = page.getByRole('heading', { name: 'Choose a password of your own' })
  await expect.element(question).toHaveFocus()
  expect(marker()).toBeNull()
  await page.getByLabelText('New password', { exact: true }).fill('eleven green bottles')
  await page.getByLabelText('Confirm new password').fill('eleven green bottles')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/gallery')
  expect(marker()).toBe('1')
})

// The staff home page

const ACTION = /await verification$/
const work = (name: string | RegExp) => page.getByRole('link', { name })

test('pending counts link to their lists', async ({ testApp }) => {
  await testApp.addProvider({ verification_status: 'Unverified', verified_at: null })
  const { router } = await openStaff(testApp, 'admin', '/admin-home')
  await expect.element(page.getByText('One item needs attention.')).toBeVisible()
  await work(/^1 ?await verification$/).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/providers')
  expect(router.state.location.search).toEqual({ list: 'waiting' })
})

test.for([
  ['superuser', 9],
  ['admin', 9],
  ['editor', 0],
  ['author', 0],
] as const)(
  '%s sees all counts, %i of them as their own work',
  async ([role, count], { testApp }) => {
    await openStaff(testApp, role, '/admin-home')
    await expect.element(page.getByText('await verification')).toBeVisible()
    const main = page.getByRole('main')
    expect(main.getByRole('link').elements()).toHaveLength(count)
    const barred = main.getByText('Only superusers and admins may do this.').elements()
    // Once visibly, and once for each count.
    expect(barred).toHaveLength(count === 9 ? 0 : 10)
  },
)

test('the chart’s days can be explored by keyboard, and read as a table', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T10:00:00Z' })
  await openStaff(testApp, 'author', '/admin-home')
  const day = page.getByRole('slider', { name: 'Day to look at' })
  await expect
    .element(day)
    .toHaveAttribute('aria-valuetext', 'Mon 2 March 2026: 1 booking, £60, $0')
  day.element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect
    .element(day)
    .toHaveAttribute('aria-valuetext', 'Sun 1 March 2026: 0 bookings, £0, $0')
  await userEvent.keyboard('{Home}')
  await expect.element(day).toHaveAttribute('aria-valuenow', '1')
  await userEvent.keyboard('{PageUp}')
  await expect.element(day).toHaveAttribute('aria-valuenow', '8')
  await page.getByRole('button', { name: 'Show as a table' }).click()
  const table = page.getByRole('table', { name: 'Bookings and income by day' })
  expect(table.getByRole('row').elements()).toHaveLength(31)
  expect(table.getByRole('row').nth(1).element().textContent).toMatch(/1£60\.00\$0\.00$/)
})

test('counts that fail to load say so, and can be reloaded', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'admin', '/admin-home/mail')
  failRequests('verification.counts')
  await router.navigate({ to: '/admin-home' })
  await expect.element(page.getByText('The numbers didn’t load')).toBeVisible()
  vi.restoreAllMocks()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Nothing needs attention.')).toBeVisible()
  await expect.element(work(ACTION)).toBeVisible()
})

test('after 15 idle minutes staff are signed out, and return to the page after signing in', async ({
  testApp,
}) => {
  const { router, account } = await openStaff(testApp, 'admin', '/admin-home/mail')
  await expect.element(page.getByText('Everything was delivered')).toBeVisible()
  await testApp.advanceClock(15 * 60_000 + 1)
  await expect.element(page.getByText(/^You were inactive for 15 minutes/)).toBeVisible()
  expect(router.state.location.search).toMatchObject({ next: '/admin-home/mail', why: 'idle' })
  await signInAsStaff(account.email)
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/mail')
})

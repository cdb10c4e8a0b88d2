import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'

afterEach(() => page.viewport(1280, 900))

const menu = () => page.getByRole('navigation', { name: 'Provider' })
const drawer = () => page.getByRole('dialog', { name: 'Provider menu' })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const part = (name: string) => page.getByRole('region', { name })

test('nobody signed in goes to the provider’s sign-in and comes back', async () => {
  const { router } = await openPage('/doctor/appointment-history?year=2025')
  expect(router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search).toEqual({
    as: 'provider',
    next: '/doctor/appointment-history?year=2025',
  })
  await expect.element(page.getByRole('link', { name: 'Register as a provider' })).toBeVisible()
})

test('a patient is told whose page it is, and can come back as a provider', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/home')
  await router.navigate({ to: '/dochome' })
  await expect.element(heading('This page is for providers')).toBeVisible()
  await page.getByRole('button', { name: 'Log out and sign in as a provider' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search).toEqual({ as: 'provider', next: '/dochome' })
})

test('when the session ends the way back in is the provider’s', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome')
  await expect.element(part('Today')).toBeVisible()
  await testApp.expireCookie('access_token')
  await testApp.expireCookie('refresh_token')
  await menu().getByRole('link', { name: 'Booked History' }).click()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
    .toHaveAttribute('href', expect.stringContaining('as=provider'))
})

test('providers land on their dashboard; the user menu leads there from anywhere', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/about-us')
  await page.getByRole('banner').getByRole('button', { name: 'Amara' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'DashBoard' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
  await expect.element(heading('DashBoard')).toHaveFocus()
  await router.navigate({ to: '/sign-in' })
  expect(router.state.location.pathname).toBe('/dochome')
})

test('below 768 pixels the menu is a drawer that keeps the focus and gives it back', async ({
  testApp,
}) => {
  await page.viewport(767, 900)
  const { router } = await openDashboard(testApp, '/dochome')
  await expect.element(part('Today')).toBeVisible()
  await expect.element(menu()).not.toBeInTheDocument()
  const open = page.getByRole('button', { name: 'Provider menu' })
  await open.click()
  await expect.element(drawer()).toBeVisible()
  await expect
    .element(drawer().getByRole('link', { name: 'DashBoard' }))
    .toHaveAttribute('aria-current', 'page')
  for (let press = 0; press < 14; press += 1) await userEvent.keyboard('{Tab}')
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.element(drawer()).not.toBeInTheDocument()
  await expect.element(open).toHaveFocus()

  await open.click()
  await drawer().getByRole('link', { name: 'Booked History' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/appointment-history')
  await expect.element(drawer()).not.toBeInTheDocument()
  await page.viewport(768, 900)
  await expect.element(menu()).toBeVisible()
})

test('the drawer closes on any way to another page', async ({ testApp }) => {
  await page.viewport(767, 900)
  const { router } = await openDashboard(testApp, '/dochome')
  await page.getByRole('button', { name: 'Provider menu' }).click()
  await expect.element(drawer()).toBeVisible()
  await router.navigate({ to: '/doctor/appointment-history' })
  await expect.element(drawer()).not.toBeInTheDocument()
})

test('submenus fold away and back by keyboard', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome')
  const fold = menu().getByRole('button', { name: 'Appointments' })
  await expect.element(fold).toHaveAttribute('aria-expanded', 'true')
  await expect.element(fold).toBeVisible()
  const element = fold.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false')
  await expect.element(menu().getByText('Booked History')).not.toBeVisible()
  await userEvent.keyboard(' ')
  await expect.element(menu().getByRole('link', { name: 'Booked History' })).toBeVisible()
})

test('the bank accounts stand beside the menu, without header and footer', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/dochome')
  await menu().getByRole('link', { name: 'Bank Accounts' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/bank-account')
  await expect.element(heading('Your Bank Accounts')).toHaveFocus()
  await expect.element(menu()).toBeVisible()
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
})

test('the day: who comes, what for on asking, what is over and what goes on now', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', {
    // The test clock is at nine on Monday 2 March 2026.
    visits: [
      { startsAt: '2026-03-02T08:00:00Z' },
      { startsAt: '2026-03-02T08:45:00Z', isFollowUp: true },
      { startsAt: '2026-03-02T14:30:00Z' },
      { startsAt: '2026-03-03T10:00:00Z', minor: 5_050 },
    ],
  })
  const rows = part('Today').getByRole('listitem')
  await expect
    .element(rows.nth(0))
    .toMatchTextContent(/08:00.*08:30.*Maya Ellis.*Over.*First visit/)
  await expect
    .element(rows.nth(1))
    .toMatchTextContent(/08:45.*Now.*Follow-up · Says they have seen you before/)
  await expect.element(rows.nth(2)).toMatchTextContent(/14:30/)
  expect(rows.elements()).toHaveLength(3)
  await expect.element(part('Today')).toMatchTextContent('3 visits · London time, GMT')
  expect(document.body.textContent).not.toContain('A cough')
  await rows.nth(2).getByRole('button', { name: 'Show purpose of Maya Ellis' }).click()
  await expect.element(rows.nth(2).getByText('A cough that will not go away')).toBeVisible()
  await rows.nth(2).getByRole('button', { name: 'Hide purpose of Maya Ellis' }).click()
  await expect.element(rows.nth(2).getByText('A cough')).not.toBeInTheDocument()

  await expect.element(part('Earnings this month')).toMatchTextContent('£60.00from 1 visit so far')
  await expect
    .element(part('Earnings this month'))
    .toMatchTextContent('£170.50 paid for 3 upcoming visits')
  await expect.element(part('Next free times')).toMatchTextContent('Tomorrow09:00')
  await expect.element(part('Your verification')).toMatchTextContent('VerifiedGMC 7000001')
})

test('without hours the day says what to do; unverified comes first', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', {
    overrides: { slots: [], verification_status: 'Unverified', verified_at: null, about: '' },
  })
  await expect
    .element(part('Today').getByRole('link', { name: 'Set your hours' }))
    .toHaveAttribute('href', '/doctor/availability/new')
  const standing = part('Your verification')
  await expect.element(standing).toMatchTextContent('Unverified')
  await expect
    .element(standing.getByRole('link', { name: 'Verify your registration' }))
    .toHaveAttribute('href', '/provider-verify')
  await expect
    .element(standing.getByRole('link', { name: 'Say who you are and how you work' }))
    .toHaveAttribute('href', '/doctor/profile')
  const titles = page.getByRole('heading', { level: 2 }).elements()
  expect(titles[0]?.textContent).toBe('Your verification')
})

test('the dashboard says what is missing of company and bank account, and what became of it', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome')
  const standing = part('Your verification')
  await expect
    .element(standing.getByRole('link', { name: 'Add your company' }))
    .toHaveAttribute('href', '/company-verify')
  await expect
    .element(standing.getByRole('link', { name: 'Add a bank account' }))
    .toHaveAttribute('href', '/doctor/bank-account')
})

test('a quiet day names the next visit', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: [{ startsAt: '2026-03-05T10:00:00Z' }] })
  await expect
    .element(part('Today'))
    .toMatchTextContent('Your next visit: Thu 5 Mar, 10:00, Maya Ellis.')
})

const places = [
  { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
  { name: 'Lake Clinic', postcode: '60601', time_zone: 'America/Chicago' },
]

test('a visit in another zone is shown in that of the main place, with the time there', async ({
  testApp,
}) => {
  const inChicago = { region: 'usa', timeZone: 'America/Chicago' } as const
  const { router } = await openDashboard(testApp, '/dochome', {
    overrides: { region: 'usa', currency: 'USD', places },
    visits: [{ startsAt: '2026-03-02T15:00:00Z', ...inChicago }],
  })
  await expect.element(part('Today')).toMatchTextContent('1 visit · Eastern Time, EST')
  await expect
    .element(part('Today').getByRole('listitem'))
    .toMatchTextContent(/10:00 am.*10:30 am.*9:00 am CST there/)
  await expect.element(part('Next free times')).toMatchTextContent('Eastern Time, EST')
  await router.navigate({ to: '/doctor/day-sheet' })
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent(/Eastern Time, EST.*10:00 am to 10:30 am9:00 am CST there/)
})

test('the next visit in another zone has the day of the main place', async ({ testApp }) => {
  const inHonolulu = { region: 'usa', timeZone: 'Pacific/Honolulu' } as const
  await openDashboard(testApp, '/dochome', {
    overrides: { region: 'usa', currency: 'USD', places },
    // Still Tuesday there.
    visits: [{ startsAt: '2026-03-04T06:00:00Z', ...inHonolulu }],
  })
  await expect
    .element(part('Today'))
    .toMatchTextContent('Your next visit: Wed Mar 4, 1:00 am (8:00 pm HST there), Maya Ellis')
})

import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import {
  cells,
  choose,
  column,
  dailyVisits,
  emptyMessage,
  filters,
  openDashboard,
  submit,
  table,
  year,
} from './dashboard.ts'
import { changeResponses } from './fake-network.ts'

// Follows the specification: what sections 2, 4, 5 and 9 say about the provider's dashboard and what of the
// booked history differs from the staff's; the rest is in histories-specification.test.tsx.

const HISTORY = '/doctor/appointment-history'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const menu = () => page.getByRole('navigation', { name: 'Provider' })
const dates = () => column(2)

test.for([
  ['DashBoard', '/dochome'],
  ['Add New Availability', '/doctor/availability/new'],
  ['All Availabilities', '/doctor/availability/all'],
  ['Booked History', '/doctor/appointment-history'],
  ['Bank Accounts', '/doctor/bank-account'],
  ['Profile', '/doctor/profile'],
] as const)('2: the sidebar’s %s leads to %s', async ([name, path], { testApp }) => {
  const { router } = await openDashboard(
    testApp,
    path === '/dochome' ? '/doctor/profile' : '/dochome',
  )
  await menu().getByRole('link', { name, exact: true }).click()
  await expect.poll(() => router.state.location.pathname).toBe(path)
  await expect
    .element(menu().getByRole('link', { name, exact: true }))
    .toHaveAttribute('aria-current', 'page')
})

test('2: DashBoard, an Appointments submenu, a Payments submenu, Profile, Logout, in this order', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome')
  await expect.element(menu()).toBeVisible()
  const words = [...menu().element().querySelectorAll('a, button')].map((one) => one.textContent)
  expect(words).toEqual([
    'DashBoard',
    'Appointments',
    'Add New Availability',
    'All Availabilities',
    'Booked History',
    'Payments',
    'Bank Accounts',
    'Profile',
    'Logout',
  ])
})

test('2: Logout with confirmation: No stays, Yes logs out and goes to /home', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/dochome')
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await menu().getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'No', exact: true }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/dochome')
  await menu().getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  expect(document.cookie).not.toContain('user_id=')
})

test('2 and 9: the sidebar collapses below 768 px width', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome')
  await page.viewport(768, 900)
  await expect.element(menu()).toBeVisible()
  await page.viewport(767, 900)
  await expect.element(menu()).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Provider menu' })).toBeVisible()
})

test('2: the columns #, User name, Date, Time, Amount, Payment method, without the doctor’s', async ({
  testApp,
}) => {
  await openDashboard(testApp, HISTORY, {
    visits: [{ startsAt: '2026-02-27T14:30:00Z', method: 'paypal', minor: 4_050 }],
  })
  await expect.element(table()).toBeVisible()
  const heads = table().getByRole('columnheader').elements()
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    '#',
    'User name',
    'Date',
    'Time',
    'Amount',
    'Payment method',
    'Status',
  ])
  expect(cells(1)).toEqual(['1', 'Maya Ellis', '27/02/2026', '14:30', '£40.50', 'PayPal', 'Booked'])
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Booked History' }))
    .toBeVisible()
})

test('2: missing cells show N/A; a missing amount shows 0.00', async ({ testApp }) => {
  const { patient, router } = await openDashboard(testApp, '/dochome', { visits: dailyVisits(1) })
  await testApp.eraseAccount(patient.no)
  changeResponses((answer) =>
    answer
      .replace(/"amount":\{[^}]*\}/, '"amount":null')
      .replace(/"(date|start_time|payment_method)":"[^"]*"/g, '"$1":null'),
  )
  await router.navigate({ to: HISTORY })
  await expect.element(table()).toBeVisible()
  expect(cells(1)).toEqual(['1', 'N/A', 'N/A', 'N/A', '£0.00', 'N/A', 'Booked'])
})

test('4: filters apply only on Submit, which resets to page 1', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, `${HISTORY}?page=2`, { visits: dailyVisits(7) })
  await expect.poll(() => dates()).toEqual(['23/02/2026', '22/02/2026'])
  await choose('Sort', 'asc')
  await year().fill('2026')
  await choose('Month', '02')
  expect(dates()).toEqual(['23/02/2026', '22/02/2026'])
  expect(router.state.location.search).toEqual({ page: '2' })
  await submit()
  await expect.poll(() => dates()[0]).toBe('22/02/2026')
  expect(router.state.location.search).toEqual({ sort: 'asc', month: '02', year: '2026' })
  await expect.element(filters().getByRole('button', { name: 'Submit' })).toHaveFocus()
  await choose('Payment method', 'paypal')
  await submit()
  await expect.element(emptyMessage()).toBeVisible()
})

test('2: Print opens a print view of the table', async ({ testApp }) => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await openDashboard(testApp, HISTORY, { visits: dailyVisits(1) })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => print.mock.calls.length).toBe(1)
})

// Availability

test.for([
  { route: '/doctor/availability/new', label: 'Add New Availability' },
  { route: '/doctor/availability/all', label: 'All Availabilities' },
])(
  '2 and 5: the sidebar leads to $route ($label), in the submenu Appointments',
  async ({ route, label }, { testApp }) => {
    const { router } = await openDashboard(testApp, '/dochome')
    await expect
      .element(menu().getByRole('button', { name: 'Appointments', exact: true }))
      .toHaveAttribute('aria-expanded', 'true')
    await menu().getByRole('link', { name: label, exact: true }).click()
    await expect.poll(() => router.state.location.pathname).toBe(route)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(label)
    await expect
      .element(menu().getByRole('link', { name: label, exact: true }))
      .toHaveAttribute('aria-current', 'page')
    await expect.poll(() => document.title).toBe(`${label} · Apposite`)
  },
)

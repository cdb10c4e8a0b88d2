import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { HISTORY_PAGE_SIZE, YEAR_MAX, YEAR_MIN } from '#contract/payments-history.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { dailyVisits, openDashboard } from './dashboard.ts'
import {
  cells,
  choose,
  column,
  emptyMessage,
  filters,
  optionsOf,
  submit,
  table,
  year,
} from './history.ts'

// Follows the specification: what sections 2, 5, 8 and 9 say about the provider's dashboard and the booked
// history.

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

test('2: empty state ‘No appointment history found.’', async ({ testApp }) => {
  await openDashboard(testApp, HISTORY)
  await expect.element(emptyMessage()).toBeVisible()
  await expect.element(table()).not.toBeInTheDocument()
})

test('2: missing cells show N/A; a missing amount shows 0.00', async ({ testApp }) => {
  const { patient, router } = await openDashboard(testApp, '/dochome', { visits: dailyVisits(1) })
  await testApp.eraseAccount(patient.no)
  const answer = vi.spyOn(globalThis, 'fetch')
  answer.mockImplementation(async (...request) => {
    answer.mockRestore()
    const real = await fetch(...request)
    const text = await real.text()
    const bare = text
      .replace(/"amount":\{[^}]*\}/, '"amount":null')
      .replace(/"date":"[^"]*"/, '"date":null')
      .replace(/"start_time":"[^"]*"/, '"start_time":null')
      .replace(/"payment_method":"[^"]*"/, '"payment_method":null')
    return new Response(bare, { status: real.status, headers: real.headers })
  })
  await router.navigate({ to: HISTORY })
  await expect.element(table()).toBeVisible()
  expect(cells(1)).toEqual(['1', 'N/A', 'N/A', 'N/A', '£0.00', 'N/A', 'Booked'])
})

test('2 and 9: page size 5, pagination only with more than one page, row number (page-1)*5+index+1', async ({
  testApp,
}) => {
  expect(HISTORY_PAGE_SIZE).toBe(5)
  const { router } = await openDashboard(testApp, HISTORY, { visits: dailyVisits(7) })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect.element(pages).toBeVisible()
  expect(dates()).toHaveLength(5)
  await pages.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => cells(1)[0]).toBe('6')
  const current = pages.element().querySelectorAll('[aria-current=page]')
  expect([...current].map(({ textContent }) => textContent)).toEqual(['2'])
  expect(dates()).toEqual(['23/02/2026', '22/02/2026'])
  expect(router.state.location.search).toEqual({ page: '2' })
  await router.navigate({ to: HISTORY, search: { payment_method: 'stripe', page: '9' } })
  await expect.element(emptyMessage()).toBeVisible()
})

test('9: one page has no pagination controls', async ({ testApp }) => {
  await openDashboard(testApp, HISTORY, { visits: dailyVisits(5) })
  await expect.element(table()).toBeVisible()
  await expect.element(page.getByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
})

test('5: sort is desc (‘Latest to Oldest’) or asc (‘Oldest to Latest’); payment_method and month have all', async ({
  testApp,
}) => {
  await openDashboard(testApp, HISTORY)
  await expect.element(filters()).toBeVisible()
  expect(optionsOf('Sort')).toEqual([
    ['desc', 'Latest to Oldest'],
    ['asc', 'Oldest to Latest'],
  ])
  expect(optionsOf('Payment method').map(([value]) => value)).toEqual(['all', 'stripe', 'paypal'])
  const months = optionsOf('Month').map(([value]) => value)
  expect(months).toEqual(
    ['all', '01', '02', '03', '04', '05', '06'].concat(['07', '08', '09', '10', '11', '12']),
  )
  await expect.element(year()).toHaveAttribute('min', '1000')
  await expect.element(year()).toHaveAttribute('max', '9999')
  await expect.element(year()).toHaveAttribute('type', 'number')
  expect([YEAR_MIN, YEAR_MAX]).toEqual([1_000, 9_999])
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

test('5 and 8: a month without a year gives ‘Please enter a year’ and is not applied', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, HISTORY, { visits: dailyVisits(2) })
  await expect.element(table()).toBeVisible()
  await choose('Month', '01')
  await submit()
  await expect.element(year()).toHaveAccessibleDescription('Please enter a year')
  await expect.element(year()).toHaveFocus()
  expect(router.state.location.search).toEqual({})
  expect(dates()).toHaveLength(2)
})

test.for(['999', '10000', '-1'])(
  '5 and 8: the year %s gives ‘Please enter a valid year’; the filter is still applied',
  async (typed, { testApp }) => {
    const { router } = await openDashboard(testApp, HISTORY, { visits: dailyVisits(2) })
    await expect.element(table()).toBeVisible()
    await year().fill(typed)
    await userEvent.keyboard('{Enter}')
    await expect.element(year()).toHaveAccessibleDescription('Please enter a valid year')
    await expect.element(emptyMessage()).toBeVisible()
    expect(router.state.location.search).toEqual({ year: typed })
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.element(table()).toBeVisible()
  },
)

test.for([
  ['usa', '$'],
  ['uk', '£'],
  ['india', '₹'],
  ['atlantis', '₹'],
] as const)(
  '5: the sign of rows of doctor_region %s is %s',
  async ([region, sign], { testApp }) => {
    const { router } = await openDashboard(testApp, '/dochome', { visits: dailyVisits(1) })
    const send = globalThis.fetch
    const answer = vi.spyOn(globalThis, 'fetch')
    answer.mockImplementation(async (...request) => {
      const real = await send(...request)
      // The calendar page just left may still send requests.
      if (!real.url.includes('payments.providerHistory')) return real
      answer.mockRestore()
      const text = (await real.text()).replace(
        '"doctor_region":"uk"',
        `"doctor_region":"${region}"`,
      )
      return new Response(text, { status: real.status, headers: real.headers })
    })
    await router.navigate({ to: HISTORY })
    await expect.element(table()).toBeVisible()
    expect(cells(1)[4]).toBe(`${sign}60.00`)
    expect(document.body.textContent).not.toContain('€')
  },
)

test('2: Print opens a print view of the table', async ({ testApp }) => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await openDashboard(testApp, HISTORY, { visits: dailyVisits(1) })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => print.mock.calls.length).toBe(1)
})

import { afterEach, describe, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { HISTORY_PAGE_SIZE, YEAR_MAX, YEAR_MIN } from '#contract/payments-history.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import {
  cells,
  choose,
  column,
  dailyVisits,
  emptyMessage,
  filters,
  openDashboard,
  optionsOf,
  submit,
  table,
  year,
} from './dashboard.ts'
import { changeResponses } from './fake-network.ts'
import { openPayments } from './staff.ts'

// Follows the specification: what sections 2, 5, 8 and 9 say about the provider's booked history and the
// staff's payments alike.

afterEach(() => {
  vi.restoreAllMocks()
})

const PROVIDER = '/doctor/appointment-history'
const STAFF = '/admin-home/payments'

const histories = [
  {
    whose: 'the provider’s history',
    address: PROVIDER,
    open: (testApp: Backend, days = 0) =>
      openDashboard(testApp, PROVIDER, { visits: dailyVisits(days) }),
    columns: { date: 2, amount: 4 },
    dayShown: (day: number) => `${day}/02/2026`,
    sortBy: [],
  },
  {
    whose: 'the staff’s payments',
    address: STAFF,
    open: (testApp: Backend, days = 0) =>
      openPayments(testApp, 'admin', { address: STAFF, visits: dailyVisits(days) }),
    columns: { date: 3, amount: 5 },
    dayShown: (day: number) => `${day} Feb 2026`,
    sortBy: ['date', 'amount', 'user_name', 'doctor_name', 'payment_method'],
  },
] as const

describe.for(histories)('$whose', ({ address, open, columns, dayShown, sortBy }) => {
  const dates = () => column(columns.date)

  test('2: empty state ‘No appointment history found.’', async ({ testApp }) => {
    await open(testApp)
    await expect.element(emptyMessage()).toBeVisible()
    await expect.element(table()).not.toBeInTheDocument()
  })

  test('2 and 9: page size 5, pagination only with more than one page, row number (page-1)*5+index+1', async ({
    testApp,
  }) => {
    expect(HISTORY_PAGE_SIZE).toBe(5)
    const { router } = await open(testApp, 7)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect.element(pages).toBeVisible()
    expect(dates()).toHaveLength(5)
    await pages.getByRole('link', { name: 'Page 2' }).click()
    await expect.poll(() => cells(1)[0]).toBe('6')
    const current = pages.element().querySelectorAll('[aria-current=page]')
    expect([...current].map(({ textContent }) => textContent)).toEqual(['2'])
    expect(dates()).toEqual([dayShown(23), dayShown(22)])
    expect(router.state.location.search).toEqual({ page: '2' })
    await router.navigate({ to: address, search: { payment_method: 'stripe', page: '9' } })
    await expect.element(emptyMessage()).toBeVisible()
  })

  test('9: one page has no pagination controls', async ({ testApp }) => {
    await open(testApp, 5)
    await expect.element(table()).toBeVisible()
    await expect.element(page.getByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
  })

  test('5: sort is desc (‘Latest to Oldest’) or asc (‘Oldest to Latest’); payment_method and month have all', async ({
    testApp,
  }) => {
    await open(testApp)
    await expect.element(filters()).toBeVisible()
    expect(optionsOf('Sort')).toEqual([
      ['desc', 'Latest to Oldest'],
      ['asc', 'Oldest to Latest'],
    ])
    const valuesOf = (label: string) => optionsOf(label).map(([value]) => value)
    expect(valuesOf('Payment method')).toEqual(['all', 'stripe', 'paypal'])
    expect(valuesOf('Month')).toEqual(
      ['all', '01', '02', '03', '04', '05', '06'].concat(['07', '08', '09', '10', '11', '12']),
    )
    expect(valuesOf('Sort by')).toEqual(sortBy)
    await expect.element(year()).toHaveAttribute('min', '1000')
    await expect.element(year()).toHaveAttribute('max', '9999')
    await expect.element(year()).toHaveAttribute('type', 'number')
    expect([YEAR_MIN, YEAR_MAX]).toEqual([1_000, 9_999])
  })

  test('5 and 8: a month without a year gives ‘Please enter a year’ and is not applied', async ({
    testApp,
  }) => {
    const { router } = await open(testApp, 2)
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
      const { router } = await open(testApp, 2)
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
      changeResponses((answer) =>
        answer.replace('"doctor_region":"uk"', `"doctor_region":"${region}"`),
      )
      await open(testApp, 1)
      await expect.element(table()).toBeVisible()
      expect(cells(1)[columns.amount]).toBe(`${sign}60.00`)
      expect(document.body.textContent).not.toContain('€')
    },
  )
})

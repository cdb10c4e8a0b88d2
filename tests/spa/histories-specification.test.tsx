import { afterEach, describe, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { HISTORY_PAGE_SIZE, YEAR_MAX, YEAR_MIN } from '#contract/payments-history.ts'
import { REFUNDS_NOT_LISTED } from '#contract/payments-review.ts'
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
import { changeResponses, loseResponse } from './fake-network.ts'
import { openPayments } from './staff.ts'

// Follows the specification: what sections 2, 4, 5, 8 and 9 say about the provider's booked history and the
// staff's payments alike, and after that about the staff's alone.

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
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

const dates = () => column(3)
const sheet = () => page.getByRole('dialog')

test('2: Payments (Appointment History): the columns #, User name, Doctor name, Date, Time, Amount, Payment method', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', {
    address: STAFF,
    visits: [{ startsAt: '2026-02-27T14:30:00Z', method: 'paypal', minor: 4_050 }],
  })
  await expect.element(table()).toBeVisible()
  const heads = table().getByRole('columnheader').elements()
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    '#',
    'User name',
    'Doctor name',
    'Date',
    'Time',
    'Amount',
    'Payment method',
    'Status',
  ])
  const doctor = 'Dr Amara Okafor'
  expect(cells(1)).toEqual([
    '1',
    'Maya Ellis',
    doctor,
    '27 Feb 2026',
    '14:30',
    '£40.50',
    'PayPal',
    'Booked',
  ])
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Appointment History' }))
    .toBeVisible()
})

test('2: missing cells show N/A; a missing amount shows 0.00', async ({ testApp }) => {
  changeResponses((text) =>
    text
      .replace(/"(user_name|doctor_name)":"[^"]*"/g, '"$1":null')
      .replace(/"amount":\{[^}]*\}/, '"amount":null')
      .replace(/"(date|start_time|payment_method)":"[^"]*"/g, '"$1":null'),
  )
  await openPayments(testApp, 'admin', { address: STAFF, visits: dailyVisits(1) })
  await expect.element(table()).toBeVisible()
  expect(cells(1)).toEqual(['1', 'N/A', 'N/A', 'N/A', 'N/A', '£0.00', 'N/A', 'Booked'])
})

test.for(['editor', 'author'] as const)(
  'roles: an %s sees N/A for names, and why, and may not search by them',
  async (role, { testApp }) => {
    await openPayments(testApp, role, { address: STAFF, visits: dailyVisits(1) })
    await expect.element(table()).toBeVisible()
    expect(cells(1).slice(1, 3)).toEqual(['N/A', 'N/A'])
    const search = filters().getByRole('searchbox', {
      name: 'Reference or payment ID',
      exact: true,
    })
    await expect.element(search).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
  },
)

test('4: filters apply only on Submit, which resets to page 1', async ({ testApp }) => {
  const { router } = await openPayments(testApp, 'admin', {
    address: `${STAFF}?page=2`,
    visits: dailyVisits(7),
  })
  await expect.poll(() => dates()).toEqual(['23 Feb 2026', '22 Feb 2026'])
  await choose('Sort', 'asc')
  await choose('Region', 'uk')
  await choose('Sort by', 'amount')
  await filters().getByRole('searchbox').fill('ell')
  expect(dates()).toEqual(['23 Feb 2026', '22 Feb 2026'])
  expect(router.state.location.search).toEqual({ page: '2' })
  await submit()
  await expect.poll(() => dates()[0]).toBe('22 Feb 2026')
  expect(router.state.location.search).toEqual({
    sort: 'asc',
    sort_by: 'amount',
    region: 'uk',
    search: 'ell',
  })
  await choose('Status', 'cancelled')
  await submit()
  await expect.element(emptyMessage()).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect.poll(() => dates()[0]).toBe('28 Feb 2026')
  expect(router.state.location.search).toEqual({})
})

test('2: Print opens a print view of the table', async ({ testApp }) => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await openPayments(testApp, 'admin', { address: STAFF, visits: dailyVisits(7) })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => print.mock.calls.length).toBe(1)
  // Prints all rows, not only those of the current page.
  const printed = page
    .getByRole('table', { name: 'Booked appointments', includeHidden: true })
    .first()
  await expect.poll(() => printed.element().querySelectorAll('tbody tr').length).toBe(7)
  window.dispatchEvent(new Event('afterprint'))
  await expect.poll(() => column(3)).toHaveLength(5)
})

test('a row opens beside the list, is in the URL, and returns the focus', async ({ testApp }) => {
  const { router } = await openPayments(testApp, 'admin', {
    address: STAFF,
    visits: dailyVisits(2),
  })
  const open = table().getByRole('link', { name: /^Open 1, Maya Ellis/ })
  await open.click()
  await expect.element(sheet().getByText('Maya Ellis')).toBeVisible()
  expect(Object.keys(router.state.location.search)).toEqual(['visit'])
  await expect.element(sheet()).not.toHaveTextContent('cough')
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet()).not.toBeInTheDocument()
  expect(router.state.location.search).toEqual({})
  await expect.element(open).toHaveFocus()
})

test('an admin makes a partial refund after a confirmation; an editor is told who may', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', { address: STAFF, visits: dailyVisits(1) })
  await table()
    .getByRole('link', { name: /^Open 1/ })
    .click()
  await sheet().getByRole('button', { name: 'Refund', exact: true }).click()
  await sheet().getByRole('radio', { name: 'Part of it' }).click()
  await sheet().getByRole('textbox', { name: 'Amount' }).fill('61')
  await sheet().getByRole('button', { name: 'Continue' }).click()
  const amount = sheet().getByRole('textbox', { name: 'Amount' })
  await expect.element(amount).toHaveAccessibleDescription(/You can refund up to £60\.00\./)
  await expect
    .element(sheet().getByRole('textbox', { name: 'Reason' }))
    .toHaveAccessibleDescription(/Give the reason/)
  await amount.fill('12.50')
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('Ten minutes late.')
  await sheet().getByRole('button', { name: 'Continue' }).click()
  await expect
    .element(sheet().getByText(/^Refund £12\.50 to the card it was paid with\./))
    .toBeVisible()
  await sheet().getByRole('button', { name: 'Refund £12.50' }).click()
  await expect.element(sheet().getByText('Partly refunded')).toBeVisible()
  await expect.element(sheet().getByText('Ten minutes late.')).toBeVisible()
  await expect.element(sheet().getByText('by admin@staff.example')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => cells(1)[5]).toBe('£60.00£12.50 refunded')
})

test('a refund whose response was lost is made once, also after going back', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', { address: STAFF, visits: dailyVisits(1) })
  await table()
    .getByRole('link', { name: /^Open 1/ })
    .click()
  await sheet().getByRole('button', { name: 'Refund', exact: true }).click()
  await sheet().getByRole('radio', { name: 'Part of it' }).click()
  await sheet().getByRole('textbox', { name: 'Amount' }).fill('12.50')
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('Ten minutes late.')
  await sheet().getByRole('button', { name: 'Continue' }).click()
  const lost = loseResponse('payments.refund')
  await sheet().getByRole('button', { name: 'Refund £12.50' }).click()
  await expect.element(sheet().getByText('It may have been refunded')).toBeVisible()
  lost.mockRestore()
  await sheet().getByRole('button', { name: 'Back' }).click()
  await expect.element(sheet().getByText(/You can refund up to £47\.50/)).toBeVisible()
  await sheet().getByRole('button', { name: 'Continue' }).click()
  await sheet().getByRole('button', { name: 'Refund £12.50' }).click()
  await expect.element(sheet().getByText('Partly refunded')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => cells(1)[5]).toBe('£60.00£12.50 refunded')
})

test('roles: an editor finds Refund disabled with the reason', async ({ testApp }) => {
  await openPayments(testApp, 'editor', { address: STAFF, visits: dailyVisits(1) })
  await table()
    .getByRole('link', { name: /^Open 1/ })
    .click()
  const refund = sheet().getByRole('button', { name: 'Refund', exact: true })
  await expect.element(refund).toBeDisabled()
  await expect.element(refund).toHaveAccessibleDescription(/admin/i)
})

test('reviews and differences have their own pages, empty for now', async ({ testApp }) => {
  await openPayments(testApp, 'admin', { address: STAFF })
  await page.getByRole('link', { name: 'In review' }).click()
  await expect.element(page.getByText('Nothing needs a decision.')).toBeVisible()
  await page.getByRole('link', { name: 'Differences' }).click()
  await expect.element(page.getByText('No differences.')).toBeVisible()
})

test('a page of differences past the last one leads back to the first', async ({ testApp }) => {
  changeResponses((answer) => answer.replaceAll('"total_pages":0', '"total_pages":1'))
  await openPayments(testApp, 'admin', { address: `${STAFF}?show=differences&page=2` })
  await expect.element(page.getByText('No differences on this page.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Back to the first page' }))
    .toHaveAttribute('href', `${STAFF}?show=differences`)
})

test.for([
  ['REFUND_TIME_LIMIT_EXCEEDED', 'The gateway refused to refund £12.50. Refund it again'],
  [null, 'The bank returned a refund of £12.50, which happens when a card has been closed.'],
  [REFUNDS_NOT_LISTED, 'Check the payment in your PayPal account first.'],
] as const)('review: a failed refund (%s) says what to do', async ([why, words], { testApp }) => {
  const failed = {
    id: `apt_${'0'.repeat(26)}`,
    refundId: `rfd_${'0'.repeat(26)}`,
    user_name: 'Maya Ellis',
    doctor_name: 'Dr Amara Okafor',
    gateway: 'paypal',
    amount: { minor: 1_250, currency: 'GBP' },
    failedAt: '2026-02-27T14:30:00Z',
    why,
    reference: null,
  }
  changeResponses((text) => text.replace('"refunds":[]', `"refunds":${JSON.stringify([failed])}`))
  await openPayments(testApp, 'admin', { address: `${STAFF}?show=review` })
  const refunds = page.getByRole('region', { name: 'Refunds that failed' })
  await expect.poll(() => refunds.query()?.textContent).toContain(words)
})

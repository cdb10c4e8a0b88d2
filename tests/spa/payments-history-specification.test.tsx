import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { REFUNDS_NOT_LISTED } from '#contract/payments-review.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import {
  cells,
  choose,
  column,
  dailyVisits,
  emptyMessage,
  filters,
  submit,
  table,
} from './dashboard.ts'
import { changeResponses } from './fake-network.ts'
import { openPayments } from './staff.ts'

// Follows the specification: what sections 2, 4 and 8 say about the staff's payments; what holds for the
// provider's history as well is in histories-specification.test.tsx.

const HISTORY = '/admin-home/payments'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const dates = () => column(3)
const sheet = () => page.getByRole('dialog')

test('2: Payments (Appointment History): the columns #, User name, Doctor name, Date, Time, Amount, Payment method', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', {
    address: HISTORY,
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
  await openPayments(testApp, 'admin', { address: HISTORY, visits: dailyVisits(1) })
  await expect.element(table()).toBeVisible()
  expect(cells(1)).toEqual(['1', 'N/A', 'N/A', 'N/A', 'N/A', '£0.00', 'N/A', 'Booked'])
})

test.for(['editor', 'author'] as const)(
  'roles: an %s sees N/A for names, and why, and may not search for them',
  async (role, { testApp }) => {
    await openPayments(testApp, role, { address: HISTORY, visits: dailyVisits(1) })
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
    address: `${HISTORY}?page=2`,
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
  await openPayments(testApp, 'admin', { address: HISTORY, visits: dailyVisits(7) })
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

test('a row opens beside the list, is in the address, and gives the focus back', async ({
  testApp,
}) => {
  const { router } = await openPayments(testApp, 'admin', {
    address: HISTORY,
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

test('an admin refunds a part after reading what comes of it; an editor is told who may', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', { address: HISTORY, visits: dailyVisits(1) })
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

test('roles: an editor finds Refund disabled with the reason', async ({ testApp }) => {
  await openPayments(testApp, 'editor', { address: HISTORY, visits: dailyVisits(1) })
  await table()
    .getByRole('link', { name: /^Open 1/ })
    .click()
  const refund = sheet().getByRole('button', { name: 'Refund', exact: true })
  await expect.element(refund).toBeDisabled()
  await expect.element(refund).toHaveAccessibleDescription(/admin/i)
})

test('what is in review and differences have pages of their own, empty for now', async ({
  testApp,
}) => {
  await openPayments(testApp, 'admin', { address: HISTORY })
  await page.getByRole('link', { name: 'In review' }).click()
  await expect.element(page.getByText('Nothing needs a decision.')).toBeVisible()
  await page.getByRole('link', { name: 'Differences' }).click()
  await expect.element(page.getByText('No differences.')).toBeVisible()
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
  await openPayments(testApp, 'admin', { address: `${HISTORY}?show=review` })
  const refunds = page.getByRole('region', { name: 'Refunds that failed' })
  await expect.poll(() => refunds.query()?.textContent).toContain(words)
})

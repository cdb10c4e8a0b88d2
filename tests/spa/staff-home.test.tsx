import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { failRequests } from './fake-network.ts'
import { openStaff } from './staff.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const ACTION = /await verification$/
const work = (name: string | RegExp) => page.getByRole('link', { name })

test('what waits leads to the list of it', async ({ testApp }) => {
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
  '%s sees all numbers, %i of them as work of their own',
  async ([role, count], { testApp }) => {
    await openStaff(testApp, role, '/admin-home')
    await expect.element(page.getByText('await verification')).toBeVisible()
    const main = page.getByRole('main')
    expect(main.getByRole('link').elements()).toHaveLength(count)
    const barred = main.getByText('Only superusers and admins may do this.').elements()
    // Once visibly, and once for each number.
    expect(barred).toHaveLength(count === 9 ? 0 : 10)
  },
)

test('the days of the chart are looked at by keyboard, and read as a table', async ({
  testApp,
}) => {
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

test('numbers that do not load say so, and load on asking', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'admin', '/admin-home/mail')
  failRequests('verification.counts')
  await router.navigate({ to: '/admin-home' })
  await expect.element(page.getByText('The numbers did not load')).toBeVisible()
  vi.restoreAllMocks()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Nothing needs attention.')).toBeVisible()
  await expect.element(work(ACTION)).toBeVisible()
})

test('whoever does nothing for 15 minutes is shown out, and comes back to the page', async ({
  testApp,
}) => {
  const { router, account } = await openStaff(testApp, 'admin', '/admin-home/mail')
  await expect.element(page.getByText('Everything was delivered')).toBeVisible()
  await testApp.advanceClock(15 * 60_000 + 1)
  await expect.element(page.getByText(/^Nothing was done here for 15 minutes/)).toBeVisible()
  expect(router.state.location.search).toMatchObject({ next: '/admin-home/mail', why: 'idle' })
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('seven green bottles')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home/mail')
})

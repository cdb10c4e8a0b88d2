import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { FIRST } from '#tests/spa/checkout.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a visit leads to its receipt, which says everything and can be printed', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt, account })
  const { router } = await openSignedIn(account, '/userProfile')
  await page.getByRole('article').getByText('Details', { exact: false }).first().click()
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect.poll(() => router.state.location.pathname).toMatch(/^\/receipt\/pay_/)
  const main = page.getByRole('main')
  await expect.element(page.getByRole('heading', { name: 'Receipt', level: 1 })).toBeVisible()
  await expect.element(main.getByText(/^AP-/)).toBeVisible()
  await expect.element(main.getByText('Maya Ellis')).toBeVisible()
  await expect.element(main.getByText('Dr Amara Okafor, GP')).toBeVisible()
  await expect.element(main.getByRole('row', { name: /Total paid £60\.00/ })).toBeVisible()
  const printed = vi.spyOn(globalThis, 'print').mockImplementation(() => {})
  await page.getByRole('button', { name: 'Print' }).click()
  expect(printed).toHaveBeenCalledOnce()
})

const address = `/receipt/pay_${'0'.repeat(26)}`

test('a visitor signs in first', async () => {
  const { router } = await openPage(address)
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search).toMatchObject({ next: address })
})

test('somebody else’s receipt is not found', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), address)
  await expect.element(page.getByText('We can’t find this receipt')).toBeVisible()
})

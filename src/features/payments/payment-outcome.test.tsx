import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearPurpose } from '#app/features/booking/use-hold.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { fakeStripe, heading, openCheckout, toPayment } from '#tests/spa/checkout.ts'

beforeEach(() => fakeStripe())

afterEach(() => {
  vi.unstubAllGlobals()
  clearPurpose()
})

test('opened again after the visit was cancelled, the page after the payment says so', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  await toPayment(testApp)
  await page.getByRole('button', { name: 'Pay £60.00 by card' }).click()
  const form = page.getByRole('form', { name: 'Card form of the vendor' })
  await expect.element(form).toBeVisible()
  const session = (form.element().textContent ?? '').replace('_secret', '')
  await testApp.controlGateways({ pays: session })
  const href = `/return?session_id=${session}`
  await router.navigate({ href })
  await expect.element(heading()).toHaveTextContent('Booking complete')
  await router.navigate({ to: '/userProfile' })
  await page.getByRole('button', { name: /^Cancel visit/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
  await router.navigate({ href })
  await expect.element(heading()).toHaveTextContent('This visit is cancelled')
  await expect.element(page.getByText('Booking complete')).not.toBeInTheDocument()
})

import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearPurpose } from '#app/features/booking/use-hold.ts'
import { POLL_MS } from '#contract/payments.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { fakePaypal, fakeStripe, openCheckout, radio, toPayment } from '#tests/spa/checkout.ts'
import { failRequests } from '#tests/spa/fake-network.ts'

beforeEach(() => fakeStripe())

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearPurpose()
})

test('once the page has stopped checking a payment, it says to reload it', async ({ testApp }) => {
  fakePaypal('approves')
  await openCheckout(testApp)
  await radio(/^PayPal/).click()
  await toPayment(testApp)
  failRequests('payments.capture')
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  await page.getByRole('button', { name: 'PayPal', exact: true }).click()
  const unchecked = page.getByText(/^We couldn’t check your payment/)
  await expect.element(unchecked).toMatchTextContent(/we’ll keep checking/)
  for (let tries = 0; tries < 61; tries += 1) await vi.advanceTimersByTimeAsync(POLL_MS)
  await expect
    .element(unchecked)
    .toMatchTextContent(/Reload this page to check again\. You won’t be charged twice\.$/)
})

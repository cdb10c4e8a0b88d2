import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { codeField, mailedCode, openCheckout, toConfirmation } from '#tests/spa/checkout.ts'
import { delayRequests, delayResponses } from '#tests/spa/fake-network.ts'
import { clearPurpose } from './use-hold.ts'

afterEach(() => {
  vi.restoreAllMocks()
  clearPurpose()
})

test('a pasted code may have spaces', async ({ testApp }) => {
  await openCheckout(testApp)
  await toConfirmation()
  const code = await mailedCode(testApp)
  await codeField().click()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', ` ${code.slice(0, 3)} ${code.slice(3)} `)
  codeField()
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
})

test('a code corrected while the wrong one is being checked is checked as well', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const right = await mailedCode(testApp)
  const release = delayRequests('auth.checkCode')
  await codeField().fill(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
  await codeField().fill(right)
  release()
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
})

test('a code stays verified when the response to an earlier read arrives late', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const right = await mailedCode(testApp)
  const release = delayResponses('booking.current')
  await codeField().fill(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
  await expect.element(page.getByText('Invalid OTP')).toBeVisible()
  await codeField().fill(right)
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
  release()
  // Long enough for the late response to be shown.
  await new Promise((resolve) => {
    setTimeout(resolve, 300)
  })
  expect(page.getByText('Your OTP is verified ✅').query()).not.toBeNull()
})

import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import {
  back,
  fakeStripe,
  heading,
  next,
  openCheckout,
  radio,
  timer,
  toPayment,
} from '#tests/spa/checkout.ts'
import { failRequests } from '#tests/spa/fake-network.ts'
import { clearPurpose } from './use-hold.ts'

beforeEach(() => fakeStripe())

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearPurpose()
})

const cardForm = () => page.getByRole('form', { name: 'Card form of the vendor' })
const byVideo = () => radio(/^Video visit/)

async function openCardForm(): Promise<string> {
  await page.getByRole('button', { name: 'Pay £60.00 by card' }).click()
  await expect.element(cardForm()).toBeVisible()
  return (cardForm().element().textContent ?? '').replace('_secret', '')
}

/** From the first step back to the payment, with everything told already. */
async function returnToPayment(): Promise<void> {
  await next().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  await next().click()
  await expect.element(heading()).toHaveTextContent('Confirmation')
}

async function expectBookedByVideo(testApp: Backend, session: string): Promise<void> {
  await testApp.controlGateways({ pays: session })
  await openPage(`/return?session_id=${session}`)
  await expect.element(heading()).toHaveTextContent('Booking complete')
  await expect.element(page.getByText(/^Join from your visits/).first()).toBeVisible()
}

test('a video visit chosen while the network was down is what is paid for', async ({ testApp }) => {
  const { screen } = await openCheckout(testApp, { offers_video: 1 })
  const cut = failRequests('booking.describe')
  await byVideo().click()
  await expect.poll(() => cut.mock.calls.length).toBeGreaterThan(0)
  cut.mockRestore()
  await toPayment(testApp)
  const session = await openCardForm()
  await screen.unmount()
  await expectBookedByVideo(testApp, session)
})

test('a video visit chosen once the card form was open is paid for, after a reload too', async ({
  testApp,
}) => {
  const { router, screen } = await openCheckout(testApp, { offers_video: 1 })
  await toPayment(testApp)
  await openCardForm()
  await page.getByRole('button', { name: 'Close' }).click()
  await back().click()
  await back().click()
  await byVideo().click()
  await expect.poll(() => router.state.location.href).toContain('mode=video')
  const { href } = router.state.location
  await screen.unmount()
  const again = await openPage(href)
  await expect.element(timer()).toBeVisible()
  await expect.element(byVideo()).toBeChecked()
  await returnToPayment()
  const session = await openCardForm()
  await again.screen.unmount()
  await expectBookedByVideo(testApp, session)
})

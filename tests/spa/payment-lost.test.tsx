import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearPurpose } from '#app/features/booking/purpose-draft.ts'
import { POLL_MS } from '#contract/payments.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { heading, openCheckout, radio, toPayment } from './checkout.ts'
import { failRequests, loseResponse, recordTimes } from './fake-network.ts'
import { fakePaypal, fakeStripe } from './fake-sdk.ts'

// The server goes down at "Processing Payment", and recovers.

beforeEach(() => fakeStripe())

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearPurpose()
})

const payByWallet = () => page.getByRole('button', { name: 'PayPal', exact: true })
const overlay = (name: string) => page.getByRole('dialog', { name })
const couldNotCheck = () => page.getByText(/^We couldn’t check your payment/)

async function openWallet(testApp: Backend) {
  fakePaypal('approves', 'approves')
  const opened = await openCheckout(testApp)
  await radio(/^PayPal/).click()
  await toPayment(testApp)
  await expect.element(payByWallet()).toBeVisible()
  return opened
}

function useAdvanceableTimers(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
}

test('the answer to the capture is lost: it is said, asked again, and the visit comes by itself', async ({
  testApp,
}) => {
  await openWallet(testApp)
  const lost = loseResponse('payments.capture')
  await payByWallet().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/^There was an issue confirming the booking\./)
  await expect.element(couldNotCheck()).toBeVisible()
  lost.mockRestore()
  useAdvanceableTimers()
  await vi.advanceTimersByTimeAsync(POLL_MS)
  await expect.element(overlay('Payment Successful!')).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('away while money moves: what is not known is not called unpaid, and the end is shown', async ({
  testApp,
}) => {
  await openWallet(testApp)
  const lost = failRequests('payments.status')
  await payByWallet().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/^Payment failed\. Please try again\.We couldn’t check your payment/)
  lost.mockRestore()
  useAdvanceableTimers()
  await vi.advanceTimersByTimeAsync(POLL_MS)
  await expect.element(overlay('Payment Successful!')).toBeVisible()
})

test('whoever pays anew is not overtaken by what was waited for before', async ({ testApp }) => {
  await openWallet(testApp)
  const lost = failRequests('payments.capture')
  await payByWallet().click()
  await expect.element(couldNotCheck()).toBeVisible()
  lost.mockRestore()
  const asked = recordTimes('payments.capture')
  await payByWallet().click()
  await expect.element(overlay('Payment Successful!')).toBeVisible()
  useAdvanceableTimers()
  await vi.advanceTimersByTimeAsync(POLL_MS * 2)
  expect(asked).toHaveLength(1)
})

test('loaded while money moves, the page waits for it instead of offering to pay again', async ({
  testApp,
}) => {
  const { router, screen } = await openWallet(testApp)
  await testApp.controlGateways({ nextCapture: 'pending' })
  await payByWallet().click()
  await expect.element(overlay('Processing Payment')).toBeVisible()
  const { href } = router.state.location
  await screen.unmount()
  await expect.element(overlay('Processing Payment')).not.toBeInTheDocument()
  await openPage(href)
  await expect.element(overlay('Processing Payment')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Carry on without waiting' })).toBeVisible()
})

test('back from the card form while the server is away: the visit is shown as soon as it is not', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  await toPayment(testApp)
  await page.getByRole('button', { name: 'Pay £60.00 by card' }).click()
  const form = page.getByRole('form', { name: 'Card form of the vendor' })
  await expect.element(form).toBeVisible()
  const session = (form.element().textContent ?? '').replace('_secret', '')
  await testApp.controlGateways({ pays: session })
  const lost = failRequests('payments.returned')
  await router.navigate({ href: `/return?session_id=${session}` })
  await expect.element(heading()).toHaveTextContent('Something went wrong')
  lost.mockRestore()
  await expect.element(heading()).toHaveTextContent('Booking complete')
})

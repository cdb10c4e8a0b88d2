import { afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearPurpose } from '#app/features/booking/use-hold.ts'
import { POLL_MS, POLL_TRIES, REDIRECT_MS, SUCCESS_MS } from '#contract/payments.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import {
  fakePaypal,
  fakeStripe,
  heading,
  openCheckout,
  radio,
  toPayment,
  type WalletAction,
} from './checkout.ts'
import {
  changeResponses,
  delayRequests,
  failProcedure,
  failRequests,
  loseResponse,
  recordTimes,
} from './fake-network.ts'

// Follows the specification: what sections 2, 4, 8 and 9 say about paying.

beforeEach(() => fakeStripe())

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearPurpose()
})

const payByCard = () => page.getByRole('button', { name: 'Pay £60.00 by card' })
const cardForm = () => page.getByRole('form', { name: 'Card form of the vendor' })
const payByWallet = () => page.getByRole('button', { name: 'PayPal', exact: true })
const overlay = (name: string) => page.getByRole('dialog', { name })
const alert = () => page.getByRole('alert')
const carryOn = () => page.getByRole('button', { name: 'Carry on without waiting' })

async function openCard(testApp: Backend) {
  const opened = await openCheckout(testApp)
  await toPayment(testApp)
  return opened
}

async function openWallet(testApp: Backend, ...deeds: WalletAction[]) {
  fakePaypal(...deeds)
  const opened = await openCheckout(testApp)
  await radio(/^PayPal/).click()
  await toPayment(testApp)
  await expect.element(payByWallet()).toBeVisible()
  return opened
}

/** Fake timers that can be advanced, and otherwise run in real time. */
function useAdvanceableTimers(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
}

/** Advances the page's clock and runs everything due by then. */
const advanceTimers = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Expects a message to be there for ten seconds. Needs timers that can be advanced. */
async function expectForTenSeconds(message: string): Promise<void> {
  const said = page.getByText(message)
  await expect.element(said).toBeVisible()
  await expect
    .element(alert())
    .toMatchTextContent(/Nothing was charged\. Try again, or pay another way below\.$/)
  await advanceTimers(9_000)
  await expect.element(said).toBeVisible()
  await advanceTimers(1_500)
  await expect.element(said).not.toBeInTheDocument()
}

test('7: the card form is opened with the clientSecret that stripe-checkout answers', async ({
  testApp,
}) => {
  await openCard(testApp)
  await payByCard().click()
  await expect.element(page.getByRole('dialog', { name: 'Pay £60.00 by card' })).toBeVisible()
  await expect.element(cardForm()).toMatchTextContent(/^cs_pay_\w+_secret$/)
  const secret = cardForm().element().textContent
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(cardForm()).not.toBeInTheDocument()
  await payByCard().click()
  // Closing and reopening the form continues the same checkout, never a second one.
  await expect.element(cardForm()).toHaveTextContent(secret ?? '')
  expect(cardForm().elements()).toHaveLength(1)
})

test.for([
  {
    title: 'the server message of the card checkout is shown',
    fail: (testApp: Backend) => testApp.controlGateways({ goesAway: true }),
    said: /^The payment service is not answering\. Nothing was charged\./,
  },
  {
    title: 'without a server message it is Something went wrong',
    fail: () => failProcedure('payments.startCard', 'internal'),
    said: /^Something went wrongNothing was charged\. Try again, or pay another way below\.$/,
  },
  {
    title: 'no clientSecret raises Invalid response from server. No clientSecret returned.',
    fail: () =>
      changeResponses((answer) => answer.replace(/"clientSecret":"\w+"/, '"clientSecret":""')),
    said: /^Invalid response from server\. No clientSecret returned\.Nothing was charged\./,
  },
])('8: $title, and the modal closes', async ({ fail, said }, { testApp }) => {
  await openCard(testApp)
  await fail(testApp)
  await payByCard().click()
  await expect.element(alert()).toMatchTextContent(said)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('2 and 4: Processing Payment, then Payment Successful! for 6 s, then 3 s later the profile with the follow-up modal', async ({
  testApp,
}) => {
  expect([SUCCESS_MS, REDIRECT_MS]).toEqual([6_000, 3_000])
  const { router } = await openWallet(testApp, 'approves')
  const letGo = delayRequests('payments.status')
  await payByWallet().click()
  await expect.element(overlay('Processing Payment')).toBeVisible()
  useAdvanceableTimers()
  letGo()
  await expect.element(overlay('Payment Successful!')).toBeVisible()
  await advanceTimers(SUCCESS_MS)
  await expect.element(overlay('Payment Successful!')).not.toBeInTheDocument()
  expect(router.state.location.pathname).toMatch(/^\/appointment/)
  await advanceTimers(REDIRECT_MS)
  await expect.poll(() => router.state.location.pathname).toBe('/userProfile')
  vi.useRealTimers()
  await expect.element(overlay('Your visit is booked')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => router.state.location.href).toBe('/userProfile')
})

test('2: the payment method can be switched with one press, and back', async ({ testApp }) => {
  fakePaypal('approves')
  await openCard(testApp)
  await page.getByRole('button', { name: 'Pay with PayPal instead' }).click()
  await expect.element(payByWallet()).toBeVisible()
  await page.getByRole('button', { name: 'Pay by card instead' }).click()
  await expect.element(payByCard()).toBeVisible()
  await page.getByRole('button', { name: 'Pay with PayPal instead' }).click()
  await payByWallet().click()
  await expect.element(overlay('Payment Successful!')).toBeVisible()
})

test('8: Payment is Cancelled for 10 s on cancel; then it can be paid', async ({ testApp }) => {
  await openWallet(testApp, 'cancels', 'approves')
  useAdvanceableTimers()
  await payByWallet().click()
  await expectForTenSeconds('Payment is Cancelled')
  vi.useRealTimers()
  await payByWallet().click()
  await expect.element(overlay('Payment Successful!')).toBeVisible()
})

test('8: There was an error with your payment, please try again for 10 s on error', async ({
  testApp,
}) => {
  await openWallet(testApp, 'meets an error')
  useAdvanceableTimers()
  await payByWallet().click()
  await expectForTenSeconds('There was an error with your payment, please try again')
})

test('8: Payment failed. Please try again. on FAILED; the overlay closes', async ({ testApp }) => {
  await openWallet(testApp, 'approves')
  await testApp.controlGateways({ nextCapture: 'pending' })
  changeResponses((answer) => answer.replace('"status":"PENDING"', '"status":"FAILED"'))
  await payByWallet().click()
  await expect.element(alert()).toMatchTextContent(/^Payment failed\. Please try again\./)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('8 and 9: polled every 5 s, 12 times in all, then Payment verification timed out.', async ({
  testApp,
}) => {
  await openWallet(testApp, 'approves')
  await testApp.controlGateways({ nextCapture: 'pending' })
  const asked = recordTimes('payments.status')
  useAdvanceableTimers()
  await payByWallet().click()
  await expect
    .poll(
      async () => {
        await advanceTimers(200)
        return asked.length
      },
      { interval: 20, timeout: 60_000 },
    )
    .toBe(POLL_TRIES)
  for (const [at, time] of asked.slice(1).entries()) {
    const since = time - (asked[at] ?? 0)
    expect(since).toBeGreaterThanOrEqual(POLL_MS)
    expect(since).toBeLessThan(POLL_MS * 1.5)
  }
  await expect.element(overlay('Processing Payment')).toBeVisible()
  await advanceTimers(POLL_MS)
  await expect.element(alert()).toMatchTextContent(/^Payment verification timed out\./)
  await advanceTimers(POLL_MS * 2)
  expect(asked).toHaveLength(POLL_TRIES)
  // The server continues, and the patient is told so.
  await expect.element(page.getByText('We will email you')).toBeVisible()
})

test('8: a polling network error marks the payment FAILED', async ({ testApp }) => {
  await openWallet(testApp, 'approves')
  await testApp.controlGateways({ nextCapture: 'pending' })
  failRequests('payments.status')
  await payByWallet().click()
  await expect.element(alert()).toMatchTextContent(/^Payment failed\. Please try again\./)
})

test('8: Payment verification failed. when success is false', async ({ testApp }) => {
  await openWallet(testApp, 'approves')
  await testApp.controlGateways({ nextCapture: 'declined' })
  await payByWallet().click()
  await expect.element(alert()).toMatchTextContent(/^Payment verification failed\./)
})

test('8: any other booking error is There was an issue confirming the booking.', async ({
  testApp,
}) => {
  await openWallet(testApp, 'approves')
  failProcedure('payments.capture', 'internal')
  await payByWallet().click()
  await expect.element(alert()).toMatchTextContent(/^There was an issue confirming the booking\./)
})

test('4 and 8: taken on approval, the wallet leads to the profile with Oops! This slot is already booked.', async ({
  testApp,
}) => {
  const { router, provider } = await openWallet(testApp, 'approves')
  changeResponses((answer) => answer.replace('"available":true', '"available":false'))
  await payByWallet().click()
  await expect.poll(() => router.state.location.pathname).toBe(`/doctor-profile/${provider.id}/1.2`)
  expect(router.state.location.href).toContain('region=uk')
  await expect.element(page.getByText('Oops! This slot is already booked.').first()).toBeVisible()
})

test('the overlay can be left: the result is shown later, and nothing is paid twice', async ({
  testApp,
}) => {
  await openWallet(testApp, 'approves')
  await testApp.controlGateways({ nextCapture: 'pending' })
  await payByWallet().click()
  await carryOn().click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByText('We will email you')).toBeVisible()
  await expect.element(payByWallet()).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Back', exact: true })).toBeDisabled()
})

/** Opens the card form; returns the session of its checkout. */
async function openCardForm(testApp: Backend) {
  const opened = await openCard(testApp)
  await payByCard().click()
  await expect.element(cardForm()).toBeVisible()
  const session = (cardForm().element().textContent ?? '').replace('_secret', '')
  return { ...opened, session }
}

/** Opens the page that the gateway redirects the browser to. */
async function openReturnPage(testApp: Backend, isPaid: boolean) {
  const opened = await openCardForm(testApp)
  const { session } = opened
  if (isPaid) await testApp.controlGateways({ pays: session })
  await opened.router.navigate({ href: `/return?session_id=${session}` })
  return opened
}

test('2: status complete is a thank-you: a confirmation email was sent to the customer, and a support address', async ({
  testApp,
}) => {
  const { account, router } = await openReturnPage(testApp, true)
  await expect.element(heading()).toHaveTextContent('Booking complete')
  const sent = `Thank you. A confirmation email was sent to ${account.email}.`
  const support = 'If you have any questions, write to support@apposite.example.'
  await expect.element(page.getByText(`${sent} ${support}`)).toBeVisible()
  const details = page.getByRole('region', { name: 'Your visit' })
  await expect.element(details.getByText('Tuesday 3 March 2026')).toBeVisible()
  await expect.element(details.getByText('£60.00')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your visits' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/userProfile')
  await expect.element(overlay('Your visit is booked')).toBeVisible()
})

test('2: status open is Payment failed, and the same checkout once more while the time is held', async ({
  testApp,
}) => {
  const { session } = await openReturnPage(testApp, false)
  await expect.element(heading()).toHaveTextContent('Payment failed')
  await expect.element(page.getByText(/Your time is still held for you for/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(cardForm()).toHaveTextContent(`${session}_secret`)
})

test.for([
  { what: 'nothing', address: '/return' },
  { what: 'a session nobody has', address: '/return?session_id=cs_test_nobody' },
  { what: 'nonsense', address: '/return?session_id=<img>' },
])('2 and 8: with $what it is Something went wrong', async ({ address }, { testApp }) => {
  const { router } = await openCheckout(testApp)
  await router.navigate({ href: address })
  await expect.element(heading()).toHaveTextContent('Something went wrong')
})

test('8: an error while reading it is Something went wrong as well, and can be retried', async ({
  testApp,
}) => {
  const failing = failProcedure('payments.returned', 'internal')
  const { router } = await openCheckout(testApp)
  await router.navigate({ href: '/return?session_id=cs_test_1' })
  await expect.element(heading()).toHaveTextContent('Something went wrong')
  failing.mockRestore()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

// The server goes down at "Processing Payment", and recovers.

const couldNotCheck = () => page.getByText(/^We couldn’t check your payment/)

test('when the capture’s response is lost it is retried, and the visit is shown', async ({
  testApp,
}) => {
  await openWallet(testApp, 'approves', 'approves')
  const lost = loseResponse('payments.capture')
  await payByWallet().click()
  await expect.element(alert()).toMatchTextContent(/^There was an issue confirming the booking\./)
  await expect.element(couldNotCheck()).toBeVisible()
  lost.mockRestore()
  useAdvanceableTimers()
  await advanceTimers(POLL_MS)
  await expect.element(overlay('Payment Successful!')).toBeVisible()
  await expect.element(alert()).not.toBeInTheDocument()
})

test('offline during a payment: an unknown result is not called unpaid, and the final one is shown', async ({
  testApp,
}) => {
  await openWallet(testApp, 'approves', 'approves')
  const lost = failRequests('payments.status')
  await payByWallet().click()
  await expect
    .element(alert())
    .toMatchTextContent(/^Payment failed\. Please try again\.We couldn’t check your payment/)
  lost.mockRestore()
  useAdvanceableTimers()
  await advanceTimers(POLL_MS)
  await expect.element(overlay('Payment Successful!')).toBeVisible()
})

test('a new payment is not overtaken by the result of an earlier one', async ({ testApp }) => {
  await openWallet(testApp, 'approves', 'approves')
  const lost = failRequests('payments.capture')
  await payByWallet().click()
  await expect.element(couldNotCheck()).toBeVisible()
  lost.mockRestore()
  const asked = recordTimes('payments.capture')
  await payByWallet().click()
  await expect.element(overlay('Payment Successful!')).toBeVisible()
  useAdvanceableTimers()
  await advanceTimers(POLL_MS * 2)
  expect(asked).toHaveLength(1)
})

test('loaded during a payment, the page waits instead of offering to pay again', async ({
  testApp,
}) => {
  const { router, screen } = await openWallet(testApp, 'approves', 'approves')
  await testApp.controlGateways({ nextCapture: 'pending' })
  await payByWallet().click()
  await expect.element(overlay('Processing Payment')).toBeVisible()
  const { href } = router.state.location
  await screen.unmount()
  await expect.element(overlay('Processing Payment')).not.toBeInTheDocument()
  await openPage(href)
  await expect.element(overlay('Processing Payment')).toBeVisible()
  await expect.element(carryOn()).toBeVisible()
})

test('back from the card form while the server is down: the visit is shown once it is up', async ({
  testApp,
}) => {
  const { router, session } = await openCardForm(testApp)
  await testApp.controlGateways({ pays: session })
  const lost = failRequests('payments.returned')
  await router.navigate({ href: `/return?session_id=${session}` })
  await expect.element(heading()).toHaveTextContent('Something went wrong')
  lost.mockRestore()
  await expect.element(heading()).toHaveTextContent('Booking complete')
})

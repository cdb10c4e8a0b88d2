import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { POLL_MS } from '#contract/payments.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import {
  advancePageClock,
  checkoutOf,
  FIRST,
  heading,
  openCheckout,
  timer,
} from '#tests/spa/checkout.ts'
import { changeResponses, failRequests, recordMutations } from '#tests/spa/fake-network.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The user comes back to this tab from another one. */
const comeBack = () => dispatchEvent(new Event('visibilitychange'))

test('where every effect runs twice, the time is asked for once, of a visitor and of a patient', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const writes = recordMutations()
  const isHold = ({ address }: { address: string }) => /booking\.hold(AsVisitor)?\b/.test(address)
  const { screen } = await openPage(checkoutOf(id), { isStrict: true })
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await screen.unmount()
  await openSignedIn(await testApp.addAccount(), checkoutOf(id), { isStrict: true })
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  expect(writes.filter(isHold).map(({ address }) => new URL(address, origin).pathname)).toEqual([
    '/trpc/booking.holdAsVisitor',
    '/trpc/booking.hold',
  ])
})

test.for(['Try again', 'the network'])(
  'a time not held for want of a network is with %s',
  async (by, { testApp }) => {
    const { id } = await testApp.addProvider()
    const cut = failRequests('booking.hold')
    await openSignedIn(await testApp.addAccount(), checkoutOf(id))
    const alert = page.getByRole('alert')
    await expect.element(alert).toMatchTextContent(/We couldn’t hold this time.*You’re offline\./)
    cut.mockRestore()
    if (by === 'Try again') await alert.getByRole('button', { name: by }).click()
    else dispatchEvent(new Event('online'))
    await expect.element(timer()).toBeVisible()
  },
)

test('a visitor without a network is told, and has the time held once it is back', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const cut = failRequests('booking.holdAsVisitor')
  await openPage(checkoutOf(id))
  await expect
    .element(page.getByText(/^We couldn’t hold it for you yet\. You’re off/))
    .toBeVisible()
  cut.mockRestore()
  dispatchEvent(new Event('online'))
  await expect.element(timer()).toBeVisible()
})

test('a time let go in another tab has ended here, and coming back does not take it again', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  const { booking, payments } = router.options.context.client
  const [hold] = await booking.holds.query({})
  await payments.leave.mutate({ holdId: hold?.id ?? '' })
  comeBack()
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  expect(await booking.holds.query({})).toEqual([])
})

test('a hold that another tab has extended goes on here when its first fifteen minutes are over', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  const { booking } = router.options.context.client
  const [hold] = await booking.holds.query({})
  await booking.renew.mutate({ holdId: hold?.id ?? '' })
  advancePageClock(20 * 60_000)
  await expect.element(timer()).toMatchTextContent(/^Held for you (9|10):\d\d$/)
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  expect(await booking.holds.query({})).toHaveLength(1)
})

test('a time paid for in another tab is booked here too', async ({ testApp }) => {
  const { account, provider } = await openCheckout(testApp)
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt, account })
  comeBack()
  await expect.element(heading()).toHaveTextContent('This visit is booked and paid for')
  await expect.element(heading()).toHaveFocus()
})

test('a hold that ends without a network may still be paid for, until the server says', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  const cut = failRequests('payments.leave')
  advancePageClock(15 * 60_000 + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  await expect.element(page.getByText('A payment may be on its way')).toBeVisible()
  cut.mockRestore()
  dispatchEvent(new Event('online'))
  await expect.element(page.getByText(/^You haven’t been charged/)).toBeVisible()
  await expect.element(page.getByText('A payment may be on its way')).not.toBeInTheDocument()
})

test('while a payment may still come, the end of the hold is asked about again', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  changeResponses((answer) =>
    answer
      .replace('"released":true', '"released":false')
      .replace('"state":"released"', '"state":"held"'),
  )
  advancePageClock(15 * 60_000 + 1_000)
  await expect.element(page.getByText('A payment may be on its way')).toBeVisible()
  vi.restoreAllMocks()
  await expect
    .element(page.getByText(/^You haven’t been charged/), { timeout: 2 * POLL_MS })
    .toBeVisible()
})

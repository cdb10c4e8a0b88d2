import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { checkoutOf, fakePaypal, fakeStripe, openCheckout, radio, toPayment } from './checkout.ts'
import { openDashboard } from './dashboard.ts'
import { failRequests } from './fake-network.ts'
import { openPayments } from './staff.ts'

// A part of a page or a dialog whose data does not load says so, and “Try again” brings it.

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const button = (name: RegExp | string) => page.getByRole('button', { name, exact: true })

/** The notice with this title says that there is no network; “Try again”, with one, makes it go. */
async function tryAgain(title: string, cut: { mockRestore: () => void }): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: title })
  await expect.element(alert).toMatchTextContent('You’re offline.')
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.element(alert).not.toBeInTheDocument()
}

test('the demo’s accounts, and looking around works without them', async () => {
  const cut = failRequests('auth.demoAccounts')
  await openPage('/', { hasDemoAccess: false })
  await expect.element(button('Just look around')).toBeVisible()
  await tryAgain('The demo accounts didn’t load', cut)
  await expect.element(button(/^Enter as a patient/)).toBeVisible()
})

/** Turns to April among the free times of a provider, without a network. */
async function loseApril(testApp: Backend) {
  const days = ['2026-03-03', '2026-04-28', '2026-05-05']
  const slots = days.map((day) => Date.parse(`${day}T09:00:00Z`))
  const { id } = await testApp.addProvider({ slots })
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await page.getByRole('tab', { name: 'Other dates' }).click()
  await expect.element(button('Tuesday 3 March, 1 time')).toBeVisible()
  const cut = failRequests('availability.freeTimes')
  await button('Next month').click()
  return cut
}

test('a month of free times, whose days take the focus of the pressed button', async ({
  testApp,
}) => {
  const cut = await loseApril(testApp)
  await tryAgain('April 2026 didn’t load', cut)
  await expect.element(button('Tuesday 28 April, 1 time')).toHaveFocus()
})

test('a month that comes by itself, once the network is back, leaves the focus alone', async ({
  testApp,
}) => {
  const cut = await loseApril(testApp)
  await expect.element(page.getByRole('alert')).toMatchTextContent('April 2026 didn’t load')
  cut.mockRestore()
  dispatchEvent(new Event('online'))
  await expect.element(button('Tuesday 28 April, 1 time')).toBeVisible()
  await expect.element(button('Next month')).toHaveFocus()
})

const comingVisit = [{ startsAt: '2026-03-02T14:30:00Z' }]

test('the forms that add a visit and block time', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome')
  const cut = failRequests('availability.mine')
  await button('Add a visit or block time on Wednesday 4 March').click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Your places didn’t load')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Blocked time' }).click()
  await tryAgain('Your hours didn’t load', cut)
  await expect.element(dialog.getByRole('button', { name: 'Block this time' })).toBeVisible()
})

test.for([
  { act: 'Move visit', title: 'This visit can’t be moved', words: /choose a new time$/ },
  { act: 'Cancel visit', title: 'This visit can’t be cancelled', words: 'Cancel and refund' },
  { act: 'Propose times', title: 'No times can be proposed', words: 'Send to the patient' },
])('the terms of a provider’s “$act”', async ({ act, title, words }, { testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: comingVisit })
  await page.getByRole('link', { name: 'Maya Ellis' }).click()
  const cut = failRequests('visits.providerTerms')
  await button(act).click()
  await tryAgain(title, cut)
  await expect.element(page.getByRole('dialog').getByText(words)).toBeVisible()
})

async function addAtDesk(testApp: Backend) {
  const { router } = await openDashboard(testApp, '/dochome')
  await button('Add a visit').click()
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Sam Hill')
  await form.getByLabelText('Day').fill('2026-03-04')
  await form.getByLabelText('Time').fill('10:00')
  await form.getByLabelText(/^Note/).fill('Left his keys.')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(form).not.toBeInTheDocument()
  return router
}

test('the note of a visit added at the desk', async ({ testApp }) => {
  await addAtDesk(testApp)
  await button(/10:00 Sam Hill/).click()
  const cut = failRequests('booking.deskNote')
  await button('Edit').click()
  await tryAgain('This visit can’t be edited', cut)
  await expect.element(page.getByLabelText(/^Note/)).toHaveValue('Left his keys.')
})

test('a visit added at the desk that is moved from its page', async ({ testApp }) => {
  const router = await addAtDesk(testApp)
  await button(/10:00 Sam Hill/).click()
  await router.options.context.utils.availability.mine.reset()
  const cut = failRequests('availability.mine')
  await button('Move visit').click()
  await tryAgain('This visit can’t be moved', cut)
  await expect.element(button('Choose any other time')).toBeVisible()
})

test('a visit added at the desk that is carried to another time', async ({ testApp }) => {
  await addAtDesk(testApp)
  await expect.element(button(/10:00 Sam Hill/)).toBeVisible()
  const cut = failRequests('booking.desk')
  const element = button(/10:00 Sam Hill/).element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('m{ArrowDown}{Enter}')
  await tryAgain('This visit can’t be moved', cut)
  await expect.element(page.getByRole('heading', { name: 'Move this visit?' })).toBeVisible()
})

test('the list of visits added at the desk', async ({ testApp }) => {
  const router = await addAtDesk(testApp)
  const cut = failRequests('booking.deskList')
  await router.navigate({ to: '/doctor/appointment-history' })
  await tryAgain('Phone and walk-in visits didn’t load', cut)
  await expect.element(page.getByRole('link', { name: 'Sam Hill' })).toBeVisible()
})

test('the preview of the saved hours', async ({ testApp }) => {
  const cut = failRequests('availability.preview')
  await openDashboard(testApp, '/doctor/availability/all')
  await tryAgain('The preview didn’t load', cut)
  await expect.element(page.getByText(/booked in these weeks\./)).toBeVisible()
})

test('why a time is not offered', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/availability/all', { hasHours: true })
  const cut = failRequests('availability.explain')
  await button(/^Monday 9 March: 14 free/).click()
  await tryAgain('This day didn’t load', cut)
  await expect.element(page.getByText('09:00 to 12:30: Free')).toBeVisible()
})

test('the outcome that staff correct', async ({ testApp }) => {
  const visits = [{ startsAt: '2026-03-02T08:00:00Z', isMissed: true }]
  await openPayments(testApp, 'admin', { address: '/admin-home/payments', visits })
  await page.getByRole('link', { name: /^Open 1/ }).click()
  const cut = failRequests('outcomes.staffMarking')
  await button('Correct outcome').click()
  await tryAgain('The outcome didn’t load', cut)
  await expect.element(page.getByText('The visit didn’t take place')).toBeVisible()
})

test.for(['Move visit', 'Cancel visit'])(
  'the terms of the staff’s “%s”',
  async (act, { testApp }) => {
    await openPayments(testApp, 'admin', { address: '/admin-home/payments', visits: comingVisit })
    await page.getByRole('link', { name: /^Open 1/ }).click()
    const cut = failRequests('visits.staffTerms')
    await button(act).click()
    const isMove = act === 'Move visit'
    if (!isMove) await page.getByText('The provider', { exact: true }).click()
    await tryAgain(isMove ? 'This visit can’t be moved' : 'This visit can’t be cancelled', cut)
    await expect
      .element(
        isMove
          ? page.getByRole('heading', { name: /choose a new time$/ })
          : page.getByText(/of £60\.00 goes back$/),
      )
      .toBeVisible()
  },
)

test('the checkout of somebody who is signed in', async ({ testApp }) => {
  const { router, provider } = await openCheckout(testApp)
  await router.navigate({ to: '/about-us' })
  const cut = failRequests('auth.me')
  await router.options.context.utils.auth.me.reset()
  await router.navigate({ href: checkoutOf(provider.id) })
  await tryAgain('The checkout didn’t load', cut)
  await expect.element(page.getByRole('timer')).toBeVisible()
})

test('the wallet’s button', async ({ testApp }) => {
  fakeStripe()
  fakePaypal('cancels')
  await openCheckout(testApp)
  await radio(/^PayPal/).click()
  const cut = failRequests('payments.options')
  await toPayment(testApp)
  await tryAgain('PayPal didn’t load', cut)
  await expect.element(button('PayPal')).toBeVisible()
})

test('the card form', async ({ testApp }) => {
  fakeStripe()
  await openCheckout(testApp)
  await toPayment(testApp)
  const cut = failRequests('payments.options')
  await button('Pay £60.00 by card').click()
  await tryAgain('The card form didn’t load', cut)
  await expect.element(page.getByRole('form', { name: 'Card form of the vendor' })).toBeVisible()
})

import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import {
  advancePageClock,
  back,
  checkoutOf,
  codeField,
  FIRST,
  heading,
  mailedCode,
  next,
  openCheckout,
  PURPOSE,
  purposeField,
  radio,
  timer,
  toConfirmation,
  toPayment,
  toPurpose,
} from '#tests/spa/checkout.ts'
import { changeResponses, failRequests, recordRequests } from '#tests/spa/fake-network.ts'
import { clearPurpose } from './use-hold.ts'

const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  clearPurpose()
})

/** A provider, and a patient who has another visit at the first of their times. */
async function addClash(testApp: Backend) {
  const [busy, provider] = [await testApp.addProvider(), await testApp.addProvider()]
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: busy.id, startsAt: FIRST.startsAt, account })
  return { provider, account }
}

/** A checkout of a patient who holds three times of the provider already. */
async function openWithThreeHolds(testApp: Backend): Promise<void> {
  const provider = await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), checkoutOf(provider.id))
  for (const time of ['09:30', '10:00', '10:30']) {
    await expect.element(timer()).toBeVisible()
    await router.navigate({ href: checkoutOf(provider.id, { time }) })
  }
}

const codeMails = async (testApp: Backend) =>
  (await testApp.readMails()).filter(({ subject }) => /code/i.test(subject))

const letGoButtons = () => page.getByRole('button', { name: /^Let it go/ })

test('whoever has another visit at that time is asked, and books this one as well', async ({
  testApp,
}) => {
  const { provider, account } = await addClash(testApp)
  await openSignedIn(account, checkoutOf(provider.id))
  const dialog = page.getByRole('dialog', { name: 'Two appointments at the same time?' })
  await expect
    .element(dialog)
    .toMatchTextContent(
      /You already have an appointment with Dr Amara Okafor at 09:00 on Tuesday 3 March\. Book this one as well\?/,
    )
  await dialog.getByRole('button', { name: 'Book this one as well' }).click()
  await expect.element(timer()).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
})

test('whoever does not want two visits at one time goes back to the free times', async ({
  testApp,
}) => {
  const { provider, account } = await addClash(testApp)
  const { router } = await openSignedIn(account, checkoutOf(provider.id))
  await page.getByRole('dialog').getByRole('button', { name: 'Choose another time' }).click()
  await expect.poll(() => router.state.location.pathname).toBe(`/doctor-profile/${provider.id}/1.2`)
})

test('without a time in the address there is a way to choose one', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  await openPage(`/appointment/${provider.id}?region=uk`)
  await expect.element(heading()).toHaveTextContent('Choose a time first')
  await expect
    .element(page.getByRole('link', { name: 'See free times' }))
    .toHaveAttribute('href', `/doctor-profile/${provider.id}/0?region=uk#times`)
})

test('coming back finds the same hold with everything that was told', async ({ testApp }) => {
  const { router } = await openCheckout(testApp)
  await radio(/^I've seen this doctor before/).click()
  await radio(/^PayPal/).click()
  await toPurpose()
  await purposeField().fill(PURPOSE)
  await next().click()
  await expect.element(heading()).toHaveTextContent('Confirmation')
  const { href } = router.state.location
  await router.navigate({ to: '/about-us' })
  await testApp.advanceClock(2 * MINUTE)
  await router.navigate({ href })
  await expect.element(heading()).toHaveTextContent('Confirmation')
  // The same hold, two minutes older.
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[23]:\d\d$/)
  await back().click()
  await expect.element(purposeField()).toHaveValue(PURPOSE)
  await back().click()
  await expect.element(radio(/^I've seen this doctor before/)).toBeChecked()
  await expect.element(radio(/^PayPal/)).toBeChecked()
})

test('the third step without a purpose is the second', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  await openSignedIn(await testApp.addAccount(), checkoutOf(provider.id, { step: '3' }))
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
})

test('the back button of the browser goes a step back, and the heading takes the focus', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  await toPurpose()
  await expect.element(heading()).toHaveFocus()
  router.history.back()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  await expect.element(heading()).toHaveFocus()
})

test('whoever comes from the profile has the heading read out, and keeps it once the time is held', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const address = `/doctor-profile/${id}/0.4?region=uk&date=${FIRST.date}&time=${FIRST.time}`
  await openSignedIn(await testApp.addAccount(), address)
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await expect.element(next()).toBeEnabled()
  await expect.element(timer()).toBeVisible()
  await expect.element(heading()).toHaveFocus()
})

test('a beginning can be picked, and is written on from there', async ({ testApp }) => {
  await openCheckout(testApp)
  await toPurpose()
  await page.getByRole('button', { name: 'Test results' }).click()
  await expect.element(purposeField()).toHaveValue('Test results: ')
  await expect.element(purposeField()).toHaveFocus()
  await expect.element(page.getByRole('button', { name: 'Check-up' })).not.toBeInTheDocument()
})

test('the time is kept for longer once', async ({ testApp }) => {
  await openCheckout(testApp)
  await page.getByRole('button', { name: 'Keep it longer' }).click()
  await expect.element(timer()).toMatchTextContent(/^Held for you (29|30):\d\d$/)
  await expect.element(page.getByRole('button', { name: 'Keep it longer' })).not.toBeInTheDocument()
  await expect.element(page.getByText('Your hold is extended.')).toBeInTheDocument()
  await expect.element(timer()).toHaveFocus()
})

test.for([
  { left: 5, words: 'Held for you for 5 more minutes. You can extend it once.' },
  { left: 2, words: 'Held for you for 2 more minutes. You can extend it once.' },
  { left: 1, words: 'Held for you for less than a minute. You can extend it once.' },
])('with $left minutes left it is said politely: $words', async ({ left, words }, { testApp }) => {
  await openCheckout(testApp)
  const said = page.getByRole('complementary', { name: 'Your appointment' }).getByRole('status')
  await expect.element(said).toHaveTextContent('')
  advancePageClock((15 - left) * MINUTE + 1_000)
  await expect.element(said).toHaveTextContent(words)
})

test('when the time is over the steps go, nothing was charged, and three free times are offered', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  await toPurpose()
  await purposeField().fill(PURPOSE)
  await expect.element(purposeField()).toHaveFocus()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  await expect.element(heading()).toHaveFocus()
  await expect.element(page.getByRole('status').filter({ hasText: 'charged' })).toBeVisible()
  await expect
    .element(page.getByText('You haven’t been charged, and we’ve kept what you wrote.'))
    .toBeVisible()
  const offered = page.getByRole('region', { name: 'The nearest free times' }).getByRole('button')
  await expect
    .poll(() => offered.elements().map((one) => one.getAttribute('aria-label')))
    .toEqual(['09:00, Tuesday 3 March', '09:30, Tuesday 3 March', '10:00, Tuesday 3 March'])
  vi.useRealTimers()
  await offered.nth(1).click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  expect(router.state.location.search).toMatchObject({ date: FIRST.date, time: '09:30' })
  await toPurpose()
  await expect.element(purposeField()).toHaveValue(PURPOSE)
})

test('the newest text is kept when the hold ends, although an earlier one was saved', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  await back().click()
  failRequests('booking.describe')
  await purposeField().fill('It is my other knee after all.')
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  vi.useRealTimers()
  await page.getByRole('button', { name: /^09:30, Tuesday 3 March/ }).click()
  await toPurpose()
  await expect.element(purposeField()).toHaveValue('It is my other knee after all.')
})

test('the same time once more, when nobody has taken it, is another hold', async ({ testApp }) => {
  await openCheckout(testApp)
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  vi.useRealTimers()
  await page.getByRole('button', { name: /^09:00, Tuesday 3 March/ }).click()
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
})

test('paid in the last second, the end of the hold is the visit', async ({ testApp }) => {
  const { account, provider, router } = await openCheckout(testApp)
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt, account })
  advancePageClock(15 * MINUTE + 1_000)
  await expect.poll(() => router.state.location.pathname).toBe('/userProfile')
  await expect.element(page.getByRole('dialog', { name: 'Your visit is booked' })).toBeVisible()
})

test('coming back after paying says that it is booked', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt, account })
  await openSignedIn(account, checkoutOf(provider.id))
  await expect.element(heading()).toHaveTextContent('This visit is booked and paid for')
})

test.for([
  { what: 'has passed', more: { date: '2026-03-01' }, title: /already passed|not offered/ },
  { what: 'is not offered', more: { time: '04:15' }, title: 'That time is not offered.' },
  {
    what: 'does not exist',
    more: { date: '2026-03-29', time: '01:30' },
    title: 'This time does not exist on that day (clocks change).',
  },
])('a time that $what is answered with others', async ({ more, title }, { testApp }) => {
  const provider = await testApp.addProvider()
  await openSignedIn(await testApp.addAccount(), checkoutOf(provider.id, more))
  await expect.element(heading()).toMatchTextContent(title)
  await expect.element(page.getByRole('link', { name: /^See all times/ })).toBeVisible()
})

test('with three times kept already, one can be let go and this one held', async ({ testApp }) => {
  await openWithThreeHolds(testApp)
  await expect.element(heading()).toHaveTextContent('Finish another booking first')
  await expect.poll(() => letGoButtons().elements().length).toBe(3)
  await letGoButtons().nth(2).click()
  await expect.element(timer()).toBeVisible()
})

test('a time that cannot be let go yet says why', async ({ testApp }) => {
  await openWithThreeHolds(testApp)
  await expect.poll(() => letGoButtons().elements().length).toBe(3)
  changeResponses((answer) => answer.replace('"released":true', '"released":false'))
  await letGoButtons().nth(2).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^We couldn’t let this time go/)
  await expect.element(heading()).toHaveTextContent('Finish another booking first')
})

test('other bookings that do not load are asked for again', async ({ testApp }) => {
  const cut = failRequests('booking.holds')
  await openWithThreeHolds(testApp)
  const alert = page.getByRole('alert').filter({ hasText: 'Your other bookings didn’t load' })
  await expect.element(alert).toMatchTextContent('You’re offline.')
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => letGoButtons().elements().length).toBe(3)
})

test('with three visits to come at this provider the way to them is shown, and no other try', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount()
  for (const time of ['09:30', '10:00', '10:30']) {
    const startsAt = `${FIRST.date}T${time}:00.000Z`
    await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  }
  await openSignedIn(account, checkoutOf(provider.id))
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      /We couldn’t hold this time.*You already have 3 upcoming visits with this provider, which is the most you can have at once\. Cancel one you don’t need in your account/,
    )
  await expect
    .element(page.getByRole('link', { name: 'See your visits' }))
    .toHaveAttribute('href', '/userProfile#visits')
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('with nothing else free the profile still says that the time was lost', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [Date.parse(FIRST.startsAt)] })
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt })
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile')
  await router.navigate({ href: checkoutOf(provider.id) })
  await expect
    .element(page.getByRole('region', { name: 'Choose a time' }))
    .toMatchTextContent(/Oops! This slot is already booked\..*has no online times/)
})

test('choosing another time gives this one back at once', async ({ testApp }) => {
  const { router, provider } = await openCheckout(testApp)
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await expect.poll(() => router.state.location.pathname).toBe(`/doctor-profile/${provider.id}/1.2`)
  await expect.element(page.getByRole('button', { name: /^09:00, Tuesday 3 March/ })).toBeVisible()
})

test('Back from the first step leads to the profile with the time still chosen', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await back().click()
  await expect
    .element(page.getByRole('link', { name: /^Continue with Tue 3 Mar, 09:00/ }))
    .toBeVisible()
})

test('a code asked for in another tab a moment ago is not asked for again', async ({ testApp }) => {
  await openCheckout(testApp)
  await toConfirmation()
  sessionStorage.clear()
  await back().click()
  await next().click()
  await expect.element(heading()).toHaveTextContent('Confirmation')
  await expect.element(page.getByRole('button', { name: 'Send a new code' })).toBeDisabled()
  expect(await codeMails(testApp)).toHaveLength(1)
})

test('a new code can be sent when the server’s minute is over', async ({ testApp }) => {
  await openCheckout(testApp)
  await toConfirmation()
  const resend = page.getByRole('button', { name: 'Send a new code' })
  await expect.element(resend).toBeDisabled()
  await expect.element(page.getByText(/^You can ask for a new code in (1:00|0:5\d)$/)).toBeVisible()
  await testApp.advanceClock(MINUTE)
  advancePageClock(MINUTE)
  await expect.element(resend).toBeEnabled()
  await resend.click()
  await expect.element(page.getByText('A new code is on its way.')).toBeVisible()
  expect(await codeMails(testApp)).toHaveLength(2)
})

test('a verified code is asked for no more when the purpose is changed', async ({ testApp }) => {
  await openCheckout(testApp)
  await toPayment(testApp)
  await back().click()
  await purposeField().fill('It is my other knee after all.')
  const asked = recordRequests()
  await next().click()
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
  expect(asked.filter((address) => address.includes('sendCode'))).toEqual([])
})

test('a hold that another tab let go is over here as soon as something is told', async ({
  testApp,
}) => {
  const { account, provider } = await openCheckout(testApp)
  await testApp.advanceClock(16 * MINUTE)
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt })
  expect(account.email).not.toBe('')
  await radio(/^PayPal/).click()
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
})

// security.md, section 7 B, line 13.

test('13: the sixth wrong code locks it; what was typed, the time and the hold are kept', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const right = Number(await mailedCode(testApp))
  for (let wrong = 1; wrong <= 6; wrong += 1) {
    await codeField().fill(String((right + wrong) % 1_000_000).padStart(6, '0'))
    const said = wrong < 6 ? /Invalid OTP/ : /Too many attempts\. Request a new code\./
    await expect.element(codeField()).toHaveAccessibleDescription(said)
  }
  await expect.element(page.getByRole('timer')).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await back().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  await expect.element(purposeField()).toHaveValue(PURPOSE)
})

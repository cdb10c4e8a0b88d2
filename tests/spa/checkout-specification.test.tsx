import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearPurpose } from '#app/features/booking/use-hold.ts'
import { CODE_LENGTH } from '#contract/auth-codes.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
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
  toConfirmation,
  toPayment,
  toPurpose,
} from './checkout.ts'
import { delayRequests, failRequests, loseResponse, recordRequests } from './fake-network.ts'

// Follows the specification: what sections 2, 4, 5, 8 and 9 say about the three steps of the checkout. Paying
// itself is in payment-specification.test.tsx.

afterEach(() => {
  vi.restoreAllMocks()
  clearPurpose()
})

test('2: three steps with Back and Next: Appointment Info, Medical Concern titled Purpose of your visit, OTP verification titled Confirmation', async ({
  testApp,
}) => {
  const { router } = await openCheckout(testApp)
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  const names = () => steps.elements().map((step) => step.textContent?.replace(/^.*: /, ''))
  expect(names()).toEqual(['Appointment Info', 'Medical Concern', 'OTP verification'])
  await expect.element(steps.nth(0)).toHaveAttribute('aria-current', 'step')
  await expect.element(back()).toBeVisible()
  await next().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  await expect.element(steps.nth(1)).toHaveAttribute('aria-current', 'step')
  await expect.element(back()).toBeVisible()
  await purposeField().fill(PURPOSE)
  await next().click()
  await expect.element(heading()).toHaveTextContent('Confirmation')
  await expect.element(steps.nth(2)).toHaveAttribute('aria-current', 'step')
  expect(router.state.location.href).toContain('step=3')
  await back().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  await expect.element(purposeField()).toHaveValue(PURPOSE)
  await back().click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
})

test('2: step 1 has a radio for a new patient, chosen, and one that says I have seen this doctor before and charges follow_amount', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  const summary = page.getByRole('complementary', { name: 'Your appointment' })
  const isNew = radio(/^I'm a new patient/)
  const isOld = radio(/^I've seen this doctor before/)
  await expect.element(isNew).toBeChecked()
  await expect.element(isOld).not.toBeChecked()
  await expect.element(summary.getByText('£60.00')).toBeVisible()
  await isOld.click()
  await expect.element(summary.getByText('£40.00')).toBeVisible()
  await expect.element(radio(/^Card/)).toHaveAccessibleName(/£40\.00/)
})

test('2: payment is by card unless the wallet is chosen; each shows the currency and the amount', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await expect.element(radio(/^Card/)).toBeChecked()
  await expect.element(radio(/^Card/)).toHaveAccessibleName(/GBP £60\.00/)
  await expect.element(radio(/^PayPal/)).not.toBeChecked()
  await expect.element(radio(/^PayPal/)).toHaveAccessibleName(/GBP £60\.00/)
})

test('5: the sign follows the money: $ and USD in the usa, never a euro', async ({ testApp }) => {
  await openCheckout(testApp, { region: 'usa', currency: 'USD' })
  await expect.element(radio(/^Card/)).toHaveAccessibleName(/USD \$60\.00/)
  await expect.element(radio(/^PayPal/)).toHaveAccessibleName(/USD \$60\.00/)
  expect(document.body.textContent).not.toContain('€')
})

test('2: Next is disabled until a purpose is set', async ({ testApp }) => {
  await openCheckout(testApp)
  await toPurpose()
  await expect.element(next()).toBeDisabled()
  await purposeField().fill('Too short.')
  await expect.element(next()).toBeDisabled()
  await purposeField().fill('Not too short')
  await expect.element(next()).toBeEnabled()
})

test.for([
  { text: 'A cough', message: 'Please describe more about your medical concern' },
  { text: '  exactly10  ', message: 'Please describe more about your medical concern' },
  { text: '1234 !?', message: 'Add a valid concern' },
  { text: '1234567890', message: 'Add a valid concern' },
])('5: the purpose "$text" gives: $message', async ({ text, message }, { testApp }) => {
  await openCheckout(testApp)
  await toPurpose()
  await purposeField().fill(text)
  await heading().click()
  await expect.element(purposeField()).toHaveAccessibleDescription(new RegExp(message))
})

test('5: longer text clears the error and is saved', async ({ testApp }) => {
  const { router } = await openCheckout(testApp)
  await toPurpose()
  await purposeField().fill('A cough')
  await heading().click()
  await expect.element(page.getByText(/^Please describe more/)).toBeVisible()
  await purposeField().fill('A cough at night')
  await expect.element(page.getByText(/^Please describe more/)).not.toBeInTheDocument()
  const asked = recordRequests()
  await expect.poll(() => asked.some((address) => address.includes('booking.describe'))).toBe(true)
  await router.invalidate()
  await expect.element(purposeField()).toHaveValue('A cough at night')
})

const enabledButtons = () =>
  [...document.querySelectorAll('button')].flatMap((one) => (one.disabled ? [] : one.outerHTML))

test('4: Next on step 2 asks for a code and moves on; all buttons are disabled meanwhile', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toPurpose()
  await purposeField().fill(PURPOSE)
  const letGo = delayRequests('auth.sendCode')
  await next().click()
  await expect.element(page.getByRole('button', { name: 'Sending the code' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Choose another time' })).toBeDisabled()
  expect(enabledButtons()).toEqual([])
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  letGo()
  await expect.element(heading()).toHaveTextContent('Confirmation')
  expect(await mailedCode(testApp)).toMatch(/^\d{6}$/)
})

test('4: all buttons are disabled while another code is requested, on a phone as well', async ({
  testApp,
}) => {
  await page.viewport(360, 740)
  await openCheckout(testApp)
  await toConfirmation()
  advancePageClock(60_000)
  const letGo = delayRequests('auth.sendCode')
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect.element(back()).toBeDisabled()
  expect(enabledButtons()).toEqual([])
  letGo()
  await expect.element(back()).toBeEnabled()
  vi.useRealTimers()
})

test('4: leaving step 2 while the code is requested is not undone', async ({ testApp }) => {
  const { router } = await openCheckout(testApp)
  await toPurpose()
  await purposeField().fill(PURPOSE)
  const letGo = delayRequests('auth.sendCode')
  await next().click()
  await expect.element(page.getByRole('button', { name: 'Sending the code' })).toBeDisabled()
  await router.navigate({ to: '/about-us' })
  await expect.poll(() => router.state.location.pathname).toBe('/about-us')
  letGo()
  // The code is sent all the same; once the email has arrived, the response has too.
  await expect.poll(() => mailedCode(testApp).catch(() => '')).toMatch(/^\d{6}$/)
  // This second response arrives after the first.
  await mailedCode(testApp)
  expect(router.state.location.pathname).toBe('/about-us')
})

test('2: the checkout receives the chosen time through navigation state as well', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  const { date, time } = FIRST
  await router.navigate({
    to: '/appointment/$doc_id',
    params: { doc_id: provider.id },
    search: { region: 'uk' },
    state: { bookingDetails: { date, time, distance: '1.2' } },
  })
  await expect.element(page.getByRole('timer')).toBeVisible()
  await toPurpose()
})

test('2: the confirmation shows the email with every character after the first two as an x', async ({
  testApp,
}) => {
  const { account } = await openCheckout(testApp)
  await toConfirmation()
  const masked = account.email.slice(0, 2) + 'x'.repeat(account.email.length - 2)
  await expect.element(page.getByText(masked, { exact: true })).toBeVisible()
  expect(document.querySelector('main')?.textContent).not.toContain(account.email)
})

test('5 and 9: a code has exactly 6 characters, otherwise Invalid OTP; the server is not asked', async ({
  testApp,
}) => {
  expect(CODE_LENGTH).toBe(6)
  await openCheckout(testApp)
  await toConfirmation()
  const asked = recordRequests()
  await codeField().fill('12345')
  await heading().click()
  await expect.element(codeField()).toHaveAccessibleDescription(/Invalid OTP/)
  await codeField().fill('12a45b')
  await expect.element(codeField()).toHaveAccessibleDescription(/Invalid OTP/)
  await codeField().fill('1234567')
  await expect.element(codeField()).toHaveValue('123456')
  expect(asked.filter((address) => address.includes('checkCode'))).toHaveLength(1)
})

test('5: a 6-character code that the server refuses gives Invalid OTP', async ({ testApp }) => {
  await openCheckout(testApp)
  await toConfirmation()
  const right = await mailedCode(testApp)
  await codeField().fill(right === '123456' ? '654321' : '123456')
  await expect.element(codeField()).toHaveAccessibleDescription(/Invalid OTP/)
  await expect.element(page.getByRole('button', { name: /^Pay / })).not.toBeInTheDocument()
})

test('2: once verified, the input is disabled, Your OTP is verified ✅ is shown and the payment buttons appear', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const pay = page.getByRole('button', { name: 'Pay £60.00 by card' })
  await expect.element(pay).not.toBeInTheDocument()
  await codeField().fill(await mailedCode(testApp))
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
  await expect.element(codeField()).toBeDisabled()
  await expect.element(pay).toBeVisible()
})

test('8: a network failure on the check of the code has its own message, and the code can be retried', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const code = await mailedCode(testApp)
  const cut = failRequests('auth.checkCode')
  await codeField().fill(code)
  await expect.element(codeField()).toHaveAccessibleDescription(/You’re offline/)
  cut.mockRestore()
  await codeField().fill('')
  await codeField().fill(code)
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
})

test('8: when only the response to the right code is lost, the code still counts', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const code = await mailedCode(testApp)
  loseResponse('auth.checkCode')
  await codeField().fill(code)
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
})

test('2 and 8: a slot that is taken says Oops! This slot is already booked. and leads to the profile, with three other times', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  await testApp.bookVisit({ providerId: provider.id, startsAt: FIRST.startsAt })
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile')
  await router.navigate({ href: checkoutOf(provider.id) })
  await expect.poll(() => router.state.location.pathname).toBe(`/doctor-profile/${provider.id}/1.2`)
  expect(router.state.location.search).toMatchObject({ region: 'uk' })
  const said = page.getByText('Oops! This slot is already booked.')
  await expect.element(said.first()).toBeVisible()
  // The message appears above the other times only, not also as a toast.
  expect(said.elements()).toHaveLength(1)
  const offered = page
    .getByRole('status')
    .filter({ hasText: 'These are the nearest' })
    .getByRole('button')
  expect(offered.elements()).toHaveLength(3)
})

test('9: a payment is polled every 5 s, at most 12 times', () => {
  expect(POLL_MS).toBe(5_000)
  expect(POLL_TRIES).toBe(12)
})

test('2: after the code was verified, a reload does not ask for one again', async ({ testApp }) => {
  const { router } = await openCheckout(testApp)
  await toPayment(testApp)
  await router.navigate({ to: '/about-us' })
  router.history.back()
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
  await expect.element(codeField()).toBeDisabled()
})

import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD, signIn } from '#tests/harness/spa/spa-page.tsx'
import {
  advancePageClock,
  checkoutOf,
  FIRST,
  heading,
  openCheckout,
  PURPOSE,
  purposeField,
  timer,
  toPurpose,
} from '#tests/spa/checkout.ts'
import { failRequests } from '#tests/spa/fake-network.ts'
import { clearPurpose } from './use-hold.ts'

const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  clearPurpose()
})

const card = () => page.getByRole('region', { name: 'Your appointment' })
const nearest = () =>
  page.getByRole('region', { name: 'The nearest free times' }).getByRole('button')

test('the time of a visitor is held at once, and said on every page on the way in', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount()
  await openPage(checkoutOf(provider.id))
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await expect.element(card()).toMatchTextContent(/Tuesday 3 March, 09:00/)
  await expect.element(card()).toMatchTextContent(/Borough Practice/)
  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await expect.element(heading()).toHaveTextContent('Register')
  await expect.element(card()).toMatchTextContent(/Dr Amara Okafor.*Tuesday 3 March, 09:00/)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect.element(heading()).toHaveTextContent('Sign in')
  await testApp.advanceClock(2 * MINUTE)
  await expect.element(card()).toMatchTextContent(/Held for you 1\d:\d\d/)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  // The same hold, two minutes older.
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[23]:\d\d$/)
})

test('a visitor is asked to sign in and comes back to exactly there, with the time held', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount()
  const address = checkoutOf(provider.id)
  const { router } = await openPage(address)
  await expect.element(heading()).toHaveTextContent('Sign in to book this time')
  await expect.element(page.getByText('Tuesday 3 March, 09:00')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Register as a patient' }))
    .toHaveAttribute('href', `/register?next=${encodeURIComponent(address).replaceAll('%20', '+')}`)
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => router.state.location.href).toBe(address)
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
})

test('a provider is told to sign in as a patient, and gets there', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', provider_no: provider.no })
  const address = checkoutOf(provider.id)
  const { router } = await openSignedIn(account, address)
  await expect.element(heading()).toHaveTextContent('Sign in as a patient to book.')
  await page.getByRole('button', { name: 'Log out and sign in as a patient' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search).toMatchObject({ next: address })
})

test('a hold that ends in the checkout says so, and the next free times are held at a press', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  await openPage(checkoutOf(provider.id))
  await expect.element(timer()).toBeVisible()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  await expect.element(heading()).toHaveFocus()
  vi.useRealTimers()
  await testApp.advanceClock(15 * MINUTE)
  await nearest().last().click()
  await expect.element(heading()).toHaveTextContent('Sign in to book this time')
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
})

test('a hold that ends while somebody registers is replaced there, and nothing typed is lost', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const { router } = await openPage(checkoutOf(provider.id))
  await expect.element(timer()).toBeVisible()
  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await page.getByRole('textbox', { name: 'First name' }).fill('Ann')
  await expect.element(timer()).toBeVisible()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(card().getByText('Your hold has ended')).toBeVisible()
  vi.useRealTimers()
  await testApp.advanceClock(15 * MINUTE)
  await nearest().last().click()
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await expect.element(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Ann')
  const { next } = router.state.location.search
  expect(next).toMatch(new RegExp(`^/appointment/${provider.id}\\?`))
  expect(next).not.toContain(encodeURIComponent(FIRST.time))
})

test('a visitor who chooses another time gives this one back', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  const { router } = await openPage(checkoutOf(provider.id))
  await expect.element(timer()).toBeVisible()
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await expect.poll(() => router.state.location.pathname).toBe(`/doctor-profile/${provider.id}/1.2`)
  await expect
    .element(page.getByRole('button', { name: '09:00, Tuesday 3 March' }).first())
    .toBeVisible()
})

test('nobody who is not about to book sees an appointment there', async () => {
  await openPage('/sign-in?next=/userProfile')
  await expect.element(heading()).toHaveTextContent('Sign in')
  await expect.element(card()).not.toBeInTheDocument()
})

const alertSaying = (hasText: string) => page.getByRole('alert').filter({ hasText })
const tryAgain = (hasText: string) =>
  alertSaying(hasText).getByRole('button', { name: 'Try again' }).click()

test('the nearest free times that do not load are asked for again', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  await openPage(checkoutOf(provider.id))
  await expect.element(timer()).toBeVisible()
  const cut = failRequests('availability.freeTimes')
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  vi.useRealTimers()
  const title = 'The nearest free times didn’t load'
  await expect.element(alertSaying(title)).toMatchTextContent('You’re offline.')
  cut.mockRestore()
  await tryAgain(title)
  await expect.element(nearest().first()).toBeVisible()
})

test('an appointment that does not load on the way in is asked for again, and signing in still works', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const cut = failRequests('search.provider')
  await openPage(`/sign-in?next=${encodeURIComponent(checkoutOf(provider.id))}`)
  const title = 'Your appointment didn’t load'
  await expect.element(alertSaying(title)).toMatchTextContent('You’re offline.')
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
  cut.mockRestore()
  await tryAgain(title)
  await expect.element(card()).toMatchTextContent(/Dr Amara Okafor.*This time isn’t held for you/)
})

test('whoever is signed out within the checkout signs in again, and their own hold is not lost', async ({
  testApp,
}) => {
  const { account, router } = await openCheckout(testApp)
  await toPurpose()
  const { href, pathname } = router.state.location
  for (const name of ['access_token', 'refresh_token']) await testApp.expireCookie(name)
  await purposeField().fill(PURPOSE)
  await expect.element(heading()).toHaveTextContent('Sign in to book this time')
  await expect.element(heading()).toHaveFocus()
  await expect
    .element(page.getByText('Your session has ended. Please sign in again.'))
    .toBeVisible()
  const signInLink = page.getByRole('main').getByRole('link', { name: 'Sign in' })
  await expect
    .element(signInLink)
    .toHaveAttribute('href', `/sign-in?next=${encodeURIComponent(href)}`)
  expect(router.state.location.pathname).toBe(pathname)
  await signIn(account)
  await expect.element(purposeField()).toHaveValue(PURPOSE)
})

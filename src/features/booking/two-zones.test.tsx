import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import { advancePageClock, back, checkoutOf, heading, timer } from '#tests/spa/checkout.ts'

// Ten in New York is nine in Chicago, and nine in New York is another free time.
const NINE = '2026-03-03T14:00:00.000Z'
const TEN = '2026-03-03T15:00:00.000Z'
const ELEVEN = '2026-03-03T16:00:00.000Z'
const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
})

/** A provider with the main place in New York and all free times in Chicago. */
const addProvider = (testApp: Backend) =>
  testApp.addProvider({
    region: 'usa',
    currency: 'USD',
    places: [
      { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
      { name: 'Lake Clinic', postcode: '60601', time_zone: 'America/Chicago' },
    ],
    slots: [NINE, TEN, ELEVEN].map((start) => Date.parse(start)),
    slotPlace: 1,
  })

const checkoutAtTen = (id: string) => checkoutOf(id, { region: 'usa', time: '10:00' })
const atTen = { date: '2026-03-03', time: '10:00' }
const card = () => page.getByRole('region', { name: 'Your appointment' })

type Client = Awaited<ReturnType<typeof openPage>>['router']['options']['context']['client']
const startsOf = async ({ booking }: Client) =>
  (await booking.holds.query({})).map(({ startsAt }) => startsAt)

test('a time held in another zone than the main place’s stays the same through sign-in', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp)
  const account = await testApp.addAccount()
  const { router } = await openPage(checkoutAtTen(id))
  await expect.element(timer()).toBeVisible()
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
  await expect.element(card()).toMatchTextContent(/Tuesday March 3, 9:00 am/)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  await expect.element(timer()).toBeVisible()
  expect(router.state.location.search).toMatchObject(atTen)
  expect(await startsOf(router.options.context.client)).toEqual([TEN])
})

test('once its hold has ended during sign-in, it is still named as it was', async ({ testApp }) => {
  const { id } = await addProvider(testApp)
  await openPage(checkoutAtTen(id))
  await expect.element(timer()).toBeVisible()
  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await expect.element(timer()).toBeVisible()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(card().getByText('Your hold has ended')).toBeVisible()
  await expect
    .element(card())
    .toMatchTextContent(/Tuesday March 3, 10:00 am.*Eastern Time, EST.*Lake Clinic/)
})

test('"Finish" leads to the held time itself', async ({ testApp }) => {
  const { id } = await addProvider(testApp)
  const other = await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), checkoutAtTen(id))
  for (const time of ['10:00', '10:30', '11:00']) {
    await expect.element(timer()).toBeVisible()
    await router.navigate({ href: checkoutOf(other.id, { time }) })
  }
  await expect.element(heading()).toHaveTextContent('Finish another booking first')
  await page.getByRole('link', { name: /^Finish.*Mar 3, 9:00 am/ }).click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  await expect.element(timer()).toBeVisible()
  expect(router.state.location.search).toMatchObject(atTen)
  expect(await startsOf(router.options.context.client)).toHaveLength(3)
})

test('going back from the checkout keeps the time selected', async ({ testApp }) => {
  const { id } = await addProvider(testApp)
  const { router } = await openSignedIn(await testApp.addAccount(), checkoutAtTen(id))
  await expect.element(timer()).toBeVisible()
  await back().click()
  await expect
    .element(page.getByRole('link', { name: /^Continue with/ }))
    .toHaveTextContent('Continue with Tue Mar 3, 10:00 am')
  expect(router.state.location.search).toMatchObject(atTen)
})

test('of the times offered after the hold, the one chosen is held', async ({ testApp }) => {
  const { id } = await addProvider(testApp)
  const { router } = await openSignedIn(await testApp.addAccount(), checkoutAtTen(id))
  await expect.element(timer()).toBeVisible()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  vi.useRealTimers()
  await testApp.advanceClock(15 * MINUTE)
  await page
    .getByRole('button', { name: /:00 am/ })
    .last()
    .click()
  await expect.element(timer()).toBeVisible()
  expect(await startsOf(router.options.context.client)).toEqual([ELEVEN])
})

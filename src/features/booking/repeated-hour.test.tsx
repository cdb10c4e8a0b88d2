import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, PASSWORD, signIn } from '#tests/harness/spa/spa-page.tsx'
import { advancePageClock, checkoutOf, heading, timer } from '#tests/spa/checkout.ts'
import { clearPurpose } from './use-hold.ts'

/** The two times at which clocks in London show 01:30 on the night they go back. */
const FIRST = '2026-10-25T00:30:00.000Z'
const SECOND = '2026-10-25T01:30:00.000Z'
const WALL = { date: '2026-10-25', time: '01:30' }
const MINUTE = 60_000

afterEach(() => {
  vi.useRealTimers()
  clearPurpose()
})

const addProvider = (testApp: Backend, ...starts: string[]) =>
  testApp.addProvider({ slots: starts.map((start) => Date.parse(start)) })

const checkoutOfSecond = (id: string) => checkoutOf(id, { ...WALL, fold: '1' })
const card = () => page.getByRole('region', { name: 'Your appointment' })
const summary = () => page.getByRole('complementary', { name: 'Your appointment' })
const pill = (zone: string) =>
  page.getByRole('button', { name: `01:30 ${zone}, Sunday 25 October`, exact: true })
const goOn = () => page.getByRole('link', { name: /^Continue with/ })

test('a visitor chooses the second of two equal times, and it stays theirs through sign-in and a reload', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp, FIRST, SECOND)
  const account = await testApp.addAccount()
  const { router, screen } = await openPage(`/doctor-profile/${id}/1.2?region=uk`)
  await pill('BST').click()
  await expect.element(goOn()).toHaveTextContent('Continue with Sun 25 Oct, 01:30 BST')
  expect(router.state.location.search).toEqual({ region: 'uk', ...WALL })
  await pill('GMT').click()
  await expect.element(pill('GMT')).toHaveAttribute('aria-pressed', 'true')
  await expect.element(pill('BST')).toHaveAttribute('aria-pressed', 'false')
  expect(router.state.location.search).toEqual({ region: 'uk', ...WALL, fold: '1' })
  await expect.element(goOn()).toHaveTextContent('Continue with Sun 25 Oct, 01:30 GMT')
  await goOn().click()
  await expect.element(heading()).toHaveTextContent('Sign in to book this time')
  await expect.element(timer()).toBeVisible()
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 GMT/)
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
  await expect.element(heading()).toHaveTextContent('Sign in')
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 GMT/)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  await expect.element(summary()).toMatchTextContent(/01:30 GMT/)
  const { client } = router.options.context
  const starts = async () => (await client.booking.holds.query({})).map((hold) => hold.startsAt)
  await expect.poll(starts).toEqual([SECOND])
  const { href } = router.state.location
  await screen.unmount()
  await openPage(href)
  await expect.element(timer()).toBeVisible()
  await expect.element(summary()).toMatchTextContent(/01:30 GMT/)
  expect(await starts()).toEqual([SECOND])
})

test('a result whose next free time is the second of two leads to that one', async ({
  testApp,
}) => {
  await addProvider(testApp, SECOND)
  const near = 'selectedRegion=uk&latitude=51.4965&longitude=-0.0985'
  const { router } = await openPage(`/results?${near}`)
  const link = page.getByRole('link', { name: /01:30 GMT/ })
  await expect.element(link).toBeVisible()
  const { scrollWidth, clientWidth } = link.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await link.click()
  await expect.element(goOn()).toHaveTextContent('Continue with Sun 25 Oct, 01:30 GMT')
  expect(router.state.location.search).toEqual({ region: 'uk', ...WALL, fold: '1' })
})

test('a second time that is taken meanwhile is said to be booked, and the first is offered', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp, FIRST, SECOND)
  await testApp.bookVisit({ providerId: id, startsAt: SECOND })
  await signIn(await testApp.addAccount())
  const { router } = await openPage(checkoutOfSecond(id))
  const notice = page.getByRole('status').filter({ hasText: 'This slot is already booked' })
  await notice.getByRole('button', { name: /^01:30 BST/ }).click()
  await expect.element(goOn()).toHaveTextContent('Continue with Sun 25 Oct, 01:30 BST')
  expect(router.state.location.search).toEqual({ region: 'uk', ...WALL })
})

test('a first time that is taken meanwhile is not swapped for the second without a word', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp, FIRST, SECOND)
  await testApp.bookVisit({ providerId: id, startsAt: FIRST })
  await openPage(checkoutOf(id, WALL))
  const notice = page.getByRole('status').filter({ hasText: 'This slot is already booked' })
  await notice.getByRole('button', { name: /^01:30 GMT/ }).click()
  await expect.element(goOn()).toHaveTextContent('Continue with Sun 25 Oct, 01:30 GMT')
  await goOn().click()
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 GMT/)
})

test('after a hold has ended, the second of two times can be held on the spot', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp, FIRST, SECOND)
  await openPage(checkoutOf(id, WALL))
  await expect.element(card()).toMatchTextContent(/01:30 BST/)
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(heading()).toHaveTextContent('Your hold has ended')
  vi.useRealTimers()
  await testApp.advanceClock(15 * MINUTE)
  await pill('GMT').click()
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 GMT/)
})

test('while somebody registers, the second time says that its hold has ended, and the first is held instead', async ({
  testApp,
}) => {
  const { id } = await addProvider(testApp, FIRST, SECOND)
  await openPage(checkoutOfSecond(id))
  await expect.element(timer()).toBeVisible()
  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await expect.element(heading()).toHaveTextContent('Register')
  await expect.element(timer()).toBeVisible()
  advancePageClock(15 * MINUTE + 1_000)
  await expect.element(card().getByText('Your hold has ended')).toBeVisible()
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 GMT/)
  vi.useRealTimers()
  await testApp.advanceClock(15 * MINUTE)
  await pill('BST').click()
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await expect.element(card()).toMatchTextContent(/Sunday 25 October, 01:30 BST/)
})

test('fold means nothing at a time that clocks show once', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  await openPage(checkoutOf(id, { fold: '1' }))
  await expect.element(card()).toMatchTextContent(/Tuesday 3 March, 09:00/)
  await expect.element(timer()).toBeVisible()
})

import type { Page } from '@playwright/test'
import {
  cardForm,
  findFreeTime,
  goToPayment,
  newPatient,
  PURPOSE,
  payWith,
  signedInPatient,
  stepTitle,
} from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

const timer = (page: Page) => page.getByRole('timer')

test('the hold runs out under an open card form: it goes, nothing is charged, and other times are offered @once', async ({
  page,
}) => {
  const email = await signedInPatient(page)
  await page.clock.install()
  await page.goto(await findFreeTime(page))
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
  await page.clock.fastForward('13:30')
  await expect(page.getByText('You can extend it once.')).toBeAttached()
  await page.clock.fastForward('02:00')
  await expect(stepTitle(page)).toHaveText('Your hold has ended')
  await expect(page.getByTitle('Card payment')).toBeHidden()
  await expect(
    page.getByText('You haven’t been charged, and we’ve kept what you wrote.'),
  ).toBeVisible()
  const offered = page.getByRole('region', { name: 'The nearest free times' }).getByRole('button')
  await expect(offered).toHaveCount(3)
  await checkScreen(page)
  await offered.last().click()
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'What would you like help with?' })).toHaveValue(
    PURPOSE,
  )
})

test('two tabs share one hold, and the one that was slower finds the visit booked @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/answered 409: \/trpc\/booking\.hold/, /status of 409/)
  const email = await signedInPatient(page)
  const address = await findFreeTime(page)
  await page.goto(address)
  await goToPayment(page, email)
  const other = await context.newPage()
  await other.goto(`${address}&step=3`)
  await expect(other.getByText('Your OTP is verified ✅')).toBeVisible()
  const pay = (tab: Page) => tab.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await pay(page)
  await pay(other)
  await expect(cardForm(other).getByLabel('Card number')).toBeVisible()
  await payWith(page, '4242 4242 4242 4242')
  await expect(stepTitle(page)).toHaveText('Booking complete')
  await expect(cardForm(other).getByRole('heading', { name: 'Paid' })).toBeVisible()
  await other.reload()
  await expect(stepTitle(other)).toHaveText('This visit is booked and paid for')
})

test('somebody else was quicker: the documented message, and the nearest times on the profile @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 409: \/trpc\/booking\.hold/, /status of 409/)
  const address = await findFreeTime(page)
  await signedInPatient(page)
  await page.goto(address)
  await expect(timer(page)).toBeVisible()

  // The first person keeps the hold; a second one signs in in the same browser.
  const { email, password } = await newPatient(page)
  await page.context().clearCookies({ name: /^(access_token|refresh_token|user_id)$/ })
  await page.goto(`/sign-in?next=${encodeURIComponent(address)}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/doctor-profile\/prv_\w+\/1\.2\?region=uk/)
  await expect(page.getByText('Oops! This slot is already booked.').first()).toBeVisible()
  await expect(
    page.getByRole('status').filter({ hasText: 'These are the nearest' }).getByRole('button'),
  ).toHaveCount(3)
  await checkScreen(page)
})

test('kept for longer once; leaving gives the time back @once', async ({ page }) => {
  await signedInPatient(page)
  const address = await findFreeTime(page)
  await page.goto(address)
  await page.getByRole('button', { name: 'Keep it longer' }).click()
  await expect(timer(page)).toHaveText(/^Held for you (29|30):\d\d$/)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(/\/doctor-profile\//)
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(timer(page)).toHaveText(/^Held for you 1[45]:\d\d$/)
})

test('a return that belongs to nobody says that something went wrong, behind no door @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 404: \/trpc\/payments\.returned/, /status of 404/)
  await page.context().clearCookies({ name: 'demo_access_token' })
  await page.goto('/return?session_id=cs_test_nobody')
  await expect(stepTitle(page)).toHaveText('Something went wrong')
  await checkScreen(page)
})

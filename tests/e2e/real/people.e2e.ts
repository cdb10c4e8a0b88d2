import type { Page } from '@playwright/test'
import {
  fillInPerson,
  fillInPractice,
  formParts,
  makePerson,
  type Person,
  sendRegistration,
  sendSignIn,
  waitForAccountPage,
} from '#tests/e2e/harness/accounts.ts'
import { PURPOSE, payWith } from '#tests/e2e/harness/booking.ts'
import { checkScreen, expect } from '#tests/e2e/harness/fixtures.ts'
import { emailed, enterCode, setUpApp, test } from './fixtures.ts'
import type { Installation } from './installation.ts'

// In one installation, which takes seconds to start.
test.describe.configure({ mode: 'default' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Registers on the page and follows the emailed link, as on another device, where it signs nobody in. */
async function register(page: Page, installation: Installation, person: Person): Promise<void> {
  await page.goto(person.kind === 'provider' ? '/register?as=provider' : '/register')
  await fillInPerson(page, person, 'robin')
  if (person.kind === 'provider') await fillInPractice(page)
  await sendRegistration(page, person.kind)
  await expect(heading(page)).toHaveText('Check your email')
  await expect(page.getByRole('link', { name: /demo/i })).toHaveCount(0)
  const link = await emailed(installation, person.email, /(https?:\/\/\S+\/verify\/[\w-]{43}\S*)/)
  expect(new URL(link).origin).toBe(installation.url)
  await page.evaluate(() => localStorage.removeItem('auth_token'))
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect(heading(page)).toHaveText('Email address confirmed')
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto(person.kind === 'provider' ? '/sign-in?as=provider' : '/sign-in')
  await sendSignIn(page, person)
}

test('a patient registers, confirms by email, signs in and replaces a forgotten password @once', async ({
  page,
  context,
  installation,
}) => {
  const ann = makePerson('patient')
  await page.goto('/')
  await expect(page).toHaveURL('/home')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Demo', { exact: true })).toHaveCount(0)
  await register(page, installation, ann)
  await signIn(page, ann)
  await expect(page).toHaveURL('/home')
  const cookies = await context.cookies()
  for (const name of ['access_token', 'refresh_token']) {
    const cookie = cookies.find((one) => one.name === name)
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict' })
  }
  await page.goto('/userProfile?section=security')
  await waitForAccountPage(page)
  // The proxy's own address would count everybody as one network.
  await expect(page.getByText(/10\.\d+\.\d+\.\d+/).first()).toBeVisible()
  await checkScreen(page)

  await page.goto('/forgot-password')
  await context.clearCookies({ name: /token|user_id/ })
  await page.reload()
  await page.getByRole('textbox', { name: 'Email' }).fill(ann.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  const link = await emailed(
    installation,
    ann.email,
    /(https?:\/\/\S+\/reset-password\/[\w-]{43}\S*)/,
  )
  expect(new URL(link).origin).toBe(installation.url)
  await page.goto(link)
  const changed = { ...ann, password: 'nine green bottles' }
  const { field, press } = formParts(page, 'New password')
  await field('New password').fill(changed.password)
  await field('Confirm new password').fill(changed.password)
  await press('Change password')
  await expect(heading(page)).toHaveText('Password changed')
  await signIn(page, changed)
  await expect(page).toHaveURL('/home')
})

test('a provider registers, sets up the app, keeps the recovery codes and signs in with them @once', async ({
  page,
  context,
  installation,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signIn/, /console error.*401/)
  problems.expect(/answered 403: \/trpc\/verification.mine/, /console error.*403/)
  const alex = makePerson('provider')
  await register(page, installation, alex)
  await signIn(page, alex)
  await expect(page.getByText('Set up an authenticator app to continue')).toBeVisible()
  await checkScreen(page)
  // Their other pages say the same instead of failing.
  await page.goto('/dochome')
  await expect(page.getByText(/authenticator app/).first()).toBeVisible()
  await page.goto('/provider-verify')
  await expect(page.getByText(/authenticator app/).first()).toBeVisible()
  await checkScreen(page)
  await page.goto('/home')
  await page.keyboard.press('Escape')
  await page.goto('/userProfile')
  const factor = await setUpApp(page, 'Set up an authenticator app')
  await checkScreen(page)
  await page.getByRole('link', { name: 'Continue to your pages' }).click()
  await expect(page).toHaveURL('/dochome')

  for (const code of [await factor.app.code(), factor.recoveryCodes[0] ?? '']) {
    // Leaves the page first, as its requests would be refused.
    await page.goto('/about-us')
    await context.clearCookies({ name: /token|user_id/ })
    await signIn(page, alex)
    await enterCode(page, code)
    await expect(page).toHaveURL('/dochome')
  }
  await page.goto('/userProfile?section=security')
  await setUpApp(page, 'Set up another app')
})

/** From the first step of the checkout to the payment, with the emailed code. */
async function confirmBooking(page: Page, installation: Installation, email: string) {
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByRole('textbox', { name: 'What would you like help with?' }).fill(PURPOSE)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  const code = await emailed(installation, email, /^ {4}(\d{6})$/m)
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code)
  await expect(page.getByText('Your OTP is verified ✅')).toBeVisible()
}

test('a booking is paid by card with the gateway’s own script, and confirmed by email @once', async ({
  page,
  installation,
  problems,
}) => {
  problems.expect(/left for a stranger: https:\/\/js\.stripe\.com/)
  const script = await page.request.get('/sandbox/stripe.js')
  const body = await script.text()
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  )
  const ann = makePerson('patient')
  await register(page, installation, ann)
  await signIn(page, ann)
  await expect(page).toHaveURL('/home')
  const { providerId, startsAt } = installation
  const there = Temporal.Instant.from(startsAt).toZonedDateTimeISO('Europe/London')
  const search = new URLSearchParams({
    region: 'uk',
    date: there.toPlainDate().toString(),
    time: there.toPlainTime().toString({ smallestUnit: 'minute' }),
    distance: '1.2',
  })
  await page.goto(`/appointment/${providerId}?${search}`)
  await confirmBooking(page, installation, ann.email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(heading(page)).toHaveText('Booking complete')
  await checkScreen(page)
  const visit = await emailed(installation, ann.email, /(https?:\/\/\S+\/visit\/\S+)/)
  expect(new URL(visit).origin).toBe(installation.url)
  await page.goto(visit)
  await expect(page.getByText('Harper Road').first()).toBeVisible()
})

test('a message of the contact form reaches the operator by email @once', async ({
  page,
  installation,
}) => {
  await page.goto('/contact-us')
  const { field } = formParts(page, 'Contact us')
  const filled = { 'First name': 'Ann', 'Last name': 'Moss', Email: 'ann@mail.example' }
  for (const [name, value] of Object.entries(filled)) await field(name).fill(value)
  await field('Message').fill('Do you also list opticians?')
  // Faster than a person can write it would be refused.
  await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(5_000)
  await page.getByRole('button', { name: 'Send message' }).click()
  const { SUPPORT_EMAIL: to = '' } = installation.env
  expect(await emailed(installation, to, /(opticians)/)).toBe('opticians')
})

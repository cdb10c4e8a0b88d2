import type { Page } from '@playwright/test'
import type { FileRoutesByFullPath } from '#app/routeTree.gen.ts'
import { findBareTexts, translatePage } from '#tests/harness/translation.ts'
import { formErrors, formParts } from './harness/accounts.ts'
import {
  findFreeTime,
  findFreeTimeWhere,
  goToPayment,
  payWith,
  signedInPatient,
  stepTitle,
} from './harness/booking.ts'
import { delayScripts } from './harness/delay-scripts.ts'
import {
  enterDemo,
  expect,
  london,
  signInToDemo,
  test,
  uniqueName,
  waitForResults,
} from './harness/fixtures.ts'

// What a browser does to a page that it translates: every text node is replaced, also those that appear later.

test.use({ isTranslated: true })

type Viewer = 'stranger' | 'patient' | 'provider' | 'unverified' | 'superuser'
type Address = string | ((page: Page) => Promise<string>)

/** The address of the first link on a page whose address begins like this. */
const linkOn =
  (address: string, start: string): Address =>
  async (page) => {
    await page.goto(address)
    const link = page.locator(`a[href^="${start}"]`).first()
    await expect(link).toBeAttached()
    return (await link.getAttribute('href')) ?? ''
  }

const UNVERIFIED = linkOn('/admin-home/providers', '/admin-home/providers/p')

/** Every route, who sees it, and where. A new one has to be added here: otherwise this does not compile. */
const screens: Record<keyof FileRoutesByFullPath, readonly [Viewer, Address]> = {
  '/': ['stranger', '/'],
  '/about-us': ['stranger', '/about-us'],
  '/admin-signin': ['stranger', '/admin-signin'],
  '/admin-start': ['stranger', '/admin-start'],
  '/company-profile': ['stranger', '/company-profile'],
  '/company-verify': ['unverified', '/company-verify'],
  '/contact-us': ['stranger', '/contact-us'],
  '/forgot-password': ['stranger', '/forgot-password'],
  '/home': ['stranger', '/home'],
  '/modal': ['stranger', '/modal'],
  '/privacy-cookie': ['stranger', '/privacy-cookie'],
  '/provider-verify': ['unverified', '/provider-verify'],
  '/register': ['stranger', '/register'],
  '/results': ['stranger', london()],
  '/return': ['stranger', '/return'],
  '/sign-in': ['stranger', '/sign-in'],
  '/terms-of-use': ['stranger', '/terms-of-use'],
  '/userProfile': ['patient', '/userProfile'],
  '/dochome': ['provider', '/dochome'],
  '/appointment/$doc_id': ['stranger', findFreeTime],
  '/not-me/$token': ['stranger', '/not-me/none'],
  '/receipt/$paymentId': ['patient', linkOn('/userProfile', '/receipt/')],
  '/reset-password/$token': ['stranger', '/reset-password/none'],
  '/unsubscribe/$token': ['stranger', '/unsubscribe/none'],
  '/verify/$email_verify': ['stranger', '/verify/nobody@mail.example'],
  '/doctor/appointment-history': ['provider', '/doctor/appointment-history'],
  '/doctor/bank-account': ['provider', '/doctor/bank-account'],
  '/doctor/day-sheet': ['provider', '/doctor/day-sheet'],
  '/doctor/profile': ['provider', '/doctor/profile'],
  '/admin-home/audit': ['superuser', '/admin-home/audit'],
  '/admin-home/cancellations': ['superuser', '/admin-home/cancellations'],
  '/admin-home/claims': ['superuser', '/admin-home/claims'],
  '/admin-home/gallery': ['superuser', '/admin-home/gallery'],
  '/admin-home/mail': ['superuser', '/admin-home/mail'],
  '/admin-home/payments': ['superuser', '/admin-home/payments'],
  '/admin-home/superusers': ['superuser', '/admin-home/superusers'],
  '/doctor-profile/$id/$distance': ['stranger', linkOn(london(), '/doctor-profile/')],
  '/visit/$visitId/$mac': ['stranger', '/visit/none/none'],
  '/admin-home/': ['superuser', '/admin-home'],
  '/doctor/availability/all': ['provider', '/doctor/availability/all'],
  '/doctor/availability/calendars': ['provider', '/doctor/availability/calendars'],
  '/doctor/availability/new': ['provider', '/doctor/availability/new'],
  '/doctor/visits/$visitId': ['provider', linkOn('/dochome', '/doctor/visits/')],
  '/admin-home/providers/$providerId': ['superuser', UNVERIFIED],
  '/admin-home/providers/verified': ['superuser', '/admin-home/providers/verified'],
  '/admin-home/providers/': ['superuser', '/admin-home/providers'],
  '/admin-home/verified-provider/$providerId/$region': [
    'superuser',
    linkOn('/admin-home/providers/verified', '/admin-home/verified-provider/'),
  ],
}

for (const viewer of ['stranger', 'patient', 'provider', 'unverified', 'superuser'] as const) {
  test(`every screen of a ${viewer} stands translation @once`, async ({ page, problems }) => {
    // Links that are not valid are screens too.
    if (viewer === 'stranger') problems.expect(/answered 40[04]/, /status of 40[04]/)
    else await signInToDemo(page, viewer)
    for (const [route, [seenBy, address]] of Object.entries(screens)) {
      if (seenBy !== viewer) continue
      await page.goto(typeof address === 'string' ? address : await address(page))
      await page.waitForLoadState('networkidle')
      await expect(page.locator('h1').first(), route).toBeAttached()
      await expect(page.getByText('Unexpected Application Error!'), route).toHaveCount(0)
      expect(await page.evaluate(findBareTexts), route).toEqual([])
    }
  })
}

test('forms that are refused and sent show their own sentences @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 40[01]/, /status of 40[01]/)
  await page.goto('/register')
  await formParts(page, 'Register as a patient').press('Register')
  await expect(formErrors(page).first()).toBeVisible()
  await page.getByRole('link', { name: 'I am a provider' }).click()
  await formParts(page, 'Register as a provider').press('Register')
  await expect(formErrors(page).first()).toBeVisible()

  await page.goto('/sign-in')
  const { field, press } = formParts(page, 'Sign in')
  await field('Email').fill('nobody@mail.example')
  await field('Password').fill('not the password')
  await press('Sign in')
  await expect(page.getByRole('alert')).not.toBeEmpty()

  await page.goto('/forgot-password')
  const asking = formParts(page, 'Forgot password')
  await asking.press('Email me a link')
  await expect(formErrors(page).or(asking.form.getByText(/email/i)).first()).toBeVisible()
  await asking.field('Email').fill('nobody@mail.example')
  await asking.press('Email me a link')
  await expect(page.getByText('If nobody@mail.example has an account here')).toBeVisible()

  await page.goto('/contact-us')
  const send = page.getByRole('button', { name: 'Send message' })
  await send.click()
  await expect(formErrors(page).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'First name' }).fill('Ann')
  await page.getByRole('textbox', { name: 'Last name' }).fill(uniqueName())
  await page.getByRole('textbox', { name: 'Email' }).fill('ann@example.org')
  await page.getByRole('textbox', { name: 'Message' }).fill('Do you also list opticians?')
  // The server rejects a form filled in faster than this.
  await page.waitForTimeout(3_000)
  await send.click()
  await expect(page.getByRole('status').filter({ hasText: 'Message sent' })).toBeFocused()
})

test('a visit is searched, booked, paid and cancelled @once', async ({ page }) => {
  const email = await signedInPatient(page)
  await page.goto(london())
  await waitForResults(page)
  await page.getByLabel('Sort by').first().selectOption({ index: 1 })
  await waitForResults(page)
  await page.goto(
    await findFreeTimeWhere(page, ({ startsAt }) => startsAt > Date.now() + 3 * 86_400_000),
  )
  const timer = page.getByRole('timer')
  const first = await timer.innerText()
  await expect(timer).not.toHaveText(first)
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(stepTitle(page)).toHaveText('Booking complete')
  await page.goto('/userProfile?section=visits')
  await page.getByRole('button', { name: /^Cancel visit with/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await dialog.getByRole('button', { name: 'Cancel visit' }).click()
  await expect(page.getByText('Your visit is cancelled.')).toBeVisible()
})

test('a provider blocks time and removes the block @desktop', async ({ page }) => {
  await enterDemo(page, 'provider')
  const calendar = page.getByRole('region', { name: /^Calendar, / })
  await calendar.getByRole('button', { name: 'Block time', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Block time' })
  // Far enough ahead that no other test books then.
  const date = new Date(Date.now() + 36 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Day').fill(date)
  await dialog.getByLabel(/^Note/).fill('Translated')
  await dialog.getByRole('button', { name: 'Block this time' }).click()
  await expect(dialog).toBeHidden()
  await page.goto('/doctor/availability/all')
  const entry = page.getByRole('listitem').filter({ hasText: 'Translated' })
  await entry.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('button', { name: 'Delete block' }).click()
  await expect(entry).toBeHidden()
})

test('staff read a payment and the audit log @desktop', async ({ page }) => {
  await enterDemo(page, 'superuser', '/admin-home/payments')
  await page
    .getByRole('link', { name: /^Open 1, / })
    .filter({ visible: true })
    .click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading', { name: 'Timeline' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.goto('/admin-home/audit')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Signed in')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/action=session\.began/)
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(page.getByText('Log intact')).toBeVisible()
})

test.describe('translated before the program arrives', () => {
  test.use({ isTranslated: false })

  test('a page hydrates, and keeps its words and what was typed @once', async ({ page }) => {
    const begin = await delayScripts(page)
    const arrived = page.goto('/results?selectedRegion=uk')
    const place = page.locator('form input[role=combobox]').first()
    await place.fill('SE1 6ET')
    const before = await place.elementHandle()
    const label = page.getByText('~Postcode or town')
    await page.evaluate(translatePage, '~')
    await expect(label).toBeVisible()
    begin()
    await arrived
    await expect(label).toBeVisible()
    expect(await place.evaluate((now, then) => now === then, before)).toBe(true)
    await expect(place).toHaveValue('SE1 6ET')
    await place.press('Enter')
    await expect(page).toHaveURL(/postcode=SE1\+6ET/)
    await expect(page.locator('h1')).toContainText('SE1 6ET')
  })
})

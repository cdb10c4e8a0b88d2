import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import {
  codeInMail,
  fillInPerson,
  fillInPractice,
  formParts,
  makePerson,
  openMail,
  sendRegistration,
} from './harness/accounts.ts'
import { checkScreen, expect, test } from './harness/fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Toasts are dialogs too, but not modal ones. */
const modal = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])')
const account = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Calls a procedure with this page's session; staff have no screen for everything yet. */
async function call(page: Page, path: string, input?: object): Promise<unknown> {
  const text = await page.evaluate(
    async ({ to, body }) => {
      const init =
        body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      return (await fetch(`/trpc/${to}`, init)).text()
    },
    { to: path, body: input === undefined ? undefined : JSON.stringify(input) },
  )
  return z.object({ result: z.object({ data: z.unknown() }) }).parse(JSON.parse(text)).result.data
}

/** Opens a page of the provider's menu. */
async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
}

/** Monday to Wednesday of next week in London. */
function nextDays(): string[] {
  const today = Temporal.Now.plainDateISO('Europe/London')
  return [8, 9, 10].map((days) => today.add({ days: days - today.dayOfWeek }).toString())
}

/** Registers a dentist in the Highlands, where no other test searches. */
async function registerDentist(page: Page, mailbox: Page): Promise<ReturnType<typeof makePerson>> {
  const alex = { ...makePerson('provider'), lastName: 'Morgan' }
  await page.goto('/register?as=provider')
  await fillInPerson(page, alex, 'alex')
  await fillInPractice(page)
  const { form, field } = formParts(page, 'Register as a provider')
  await form.getByRole('combobox', { name: 'Professional body' }).selectOption('GDC')
  await field('Registration number').fill('999999')
  await form.getByRole('combobox', { name: 'Specialty' }).selectOption('dentist')
  await field('Qualification 1').fill('BDS')
  await field('Postcode').fill(POSTCODE)
  await sendRegistration(page, 'provider')
  await expect(title(page)).toHaveText('Check your email')
  await openMail(mailbox, alex.email, 'Confirm your email address')
  await formParts(page, 'Confirm with the code')
    .field('Code from the email')
    .fill(await codeInMail(mailbox))
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Verify your registration')
  return alex
}

const POSTCODE = 'PH33 6TG'

/** Runs the register check and submits the company with a small document. */
async function askForVerification(page: Page): Promise<void> {
  await button(page, 'Check the GDC register').click()
  await expect(page.getByText('It all matches')).toBeVisible()
  await page.getByRole('link', { name: 'Continue to your company' }).click()
  await expect(title(page)).toHaveText('Verify your company')
  const { field, press } = formParts(page, 'Your company')
  await field('Company name').fill('Ben Nevis Dental Ltd')
  await field('Registration number').fill('SC123456')
  await field('Registered address').fill('1 High Street\nFort William PH33 6TG')
  await page.getByLabel('Document', { exact: true }).setInputFiles({
    name: 'certificate.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7\n${'x'.repeat(2_000)}\n%%EOF\n`),
  })
  await expect(page.getByText(', uploaded')).toBeVisible()
  await press('Send for review')
  await expect(page.getByText('In review')).toBeVisible()
}

/** Closed this week; next week from half past eight with an hour for lunch. */
async function setHours(page: Page): Promise<void> {
  await open(page, 'Set your hours')
  await expect(page.getByText('A typical week to start from')).toBeVisible()
  await page.getByRole('button', { name: /^Booking rules/ }).click()
  await page.getByRole('combobox', { name: 'Repeats every' }).selectOption('2')
  const today = Temporal.Now.plainDateISO('Europe/London').toString()
  await page.getByLabel('Week 1 starts').fill(today)
  await button(page, 'Close week 1').click()
  await page.getByRole('radio', { name: 'Week 2' }).check()
  // Two of them may be holidays, as at Christmas and New Year; the first patients then come on the third.
  for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
    await page.getByLabel(`${day}, from`, { exact: true }).fill('8:30')
    await page.getByLabel(`${day}, until`, { exact: true }).fill('12:30')
    await page.getByLabel(`${day}, second hours, from`, { exact: true }).fill('13:30')
  }
  await page.keyboard.press('Tab')
  // At the end of the page the save bar covers nothing.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await checkScreen(page)
  await button(page, 'Save hours').click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
}

type Bank = { name: string; code: string; number: string }

async function addBank(page: Page, bank: Bank): Promise<void> {
  await button(page, 'Add your account').click()
  const field = (name: string) => page.getByRole('textbox', { name })
  await field('Name on the account').fill(bank.name)
  await field('Sort code').fill(bank.code)
  await field('Account number').fill(bank.number)
  await modal(page).getByRole('button', { name: 'Save account', exact: true }).click()
}

/** Adds two accounts and deletes the primary one, so that the other becomes primary. */
async function replacePrimaryBank(page: Page): Promise<void> {
  await open(page, 'Bank Accounts')
  await addBank(page, { name: 'Alex Morgan', code: '12-34-56', number: '31415926' })
  await expect(account(page, 'Alex Morgan')).toContainText('Primary')
  await addBank(page, { name: 'Ben Nevis Dental', code: '65-43-21', number: '27182818' })
  await expect(account(page, 'Ben Nevis Dental')).toContainText('••••2818')
  await account(page, 'Alex Morgan')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await modal(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await modal(page).getByRole('button', { name: 'Yes, delete it', exact: true }).click()
  await expect(account(page, 'Alex Morgan')).toHaveCount(0)
  await expect(account(page, 'Ben Nevis Dental')).toContainText('Primary')
}

/** Staff enter an address the practice publishes, to which an identity code can be sent. */
async function offerCode(staff: Page, providerId: string): Promise<void> {
  await staff.goto('/home')
  await call(staff, 'auth.enterDemo', { email: 'admin@demo.example' })
  await staff.goto(`/admin-home/providers/${providerId}`)
  await button(staff, 'Use a published address').click()
  const { field, press } = formParts(staff, 'Code to a published address')
  await field('Published email address').fill(PUBLISHED)
  await field('Where it’s published').fill('Website of the practice')
  await press('Save and tell them')
  await expect(staff.getByText('Waiting for the code')).toBeVisible()
}

const PUBLISHED = 'reception@ben-nevis-dental.example'

/** The provider requests the code, sent to the published address, and enters it. */
async function enterCode(page: Page, mailbox: Page): Promise<void> {
  await page.goto('/provider-verify')
  await expect(page.getByText(PUBLISHED)).toBeVisible()
  await button(page, 'Send me a code').click()
  await openMail(mailbox, PUBLISHED, 'Your code to confirm a registration')
  await page.getByRole('textbox', { name: 'One-time code' }).fill(await codeInMail(mailbox))
  await checkScreen(page)
  await button(page, 'Confirm').click()
  await expect(page.getByText('We know that you’re the person the register names.')).toBeVisible()
}

/** Staff verify a provider whose registration matches and whose identity is proved. */
async function verify(staff: Page, providerId: string): Promise<void> {
  const decided = await call(staff, 'verification.decide', {
    providerId,
    seen: 'waiting',
    verification_status: 'Verified',
  })
  expect(decided).toMatchObject({ verification_status: 'Verified', state: 'verified' })
}

test('a dentist registers, verifies, sets hours, adds accounts and is found by patients @desktop', async ({
  page,
  context,
  secondPage,
}) => {
  const mailbox = await context.newPage()
  const alex = await registerDentist(page, mailbox)
  await askForVerification(page)
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(page).toHaveURL('/dochome')
  await expect(page.getByText(/^Your registration matches the register\./)).toBeVisible()
  await setHours(page)
  await replacePrimaryBank(page)

  const { id } = z.object({ id: z.string() }).parse(await call(page, 'profiles.own'))
  await offerCode(secondPage, id)
  await enterCode(page, mailbox)
  await verify(secondPage, id)
  await openMail(mailbox, alex.email, 'You are verified')
  await page.goto('/dochome')
  await expect(page.getByRole('main')).toContainText('Verified')
  await checkScreen(page)

  const asked = new URLSearchParams({
    selectedRegion: 'uk',
    postcode: POSTCODE,
    specialty: 'dentist',
    // Links in emails and advertisements carry tracking parameters.
    utm_source: 'letter',
  })
  await page.goto(`/results?${asked}`)
  const card = page.getByRole('article').filter({ has: page.locator(`a[href*="${id}"]`) })
  await expect(card.getByRole('heading', { name: 'Alex Morgan' })).toBeVisible()
  const soonest = card.getByRole('link', { name: /8:30/ }).first()
  await expect(soonest).toHaveAttribute('href', new RegExp(`date=(${nextDays().join('|')})`))
  await soonest.click()
  const times = (part: string) => page.getByRole('group', { name: part }).getByRole('button')
  await expect(times('Morning').first()).toHaveText(/^08:30/)
  await expect(times('Afternoon').first()).toHaveText(/^12:10/)
  await expect(times('Afternoon').nth(1)).toHaveText(/^13:30/)
})

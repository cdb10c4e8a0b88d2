import type { Page } from '@playwright/test'
import {
  codeInMail,
  fillInPerson,
  fillInPractice,
  formParts,
  makePerson,
  openMail,
  sendRegistration,
} from './accounts.ts'
import { checkScreen, expect, test } from './fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** Moves on with Tab until a control has the focus; gives up after a while. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const target = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((node) => node === document.activeElement)) return
  }
  throw new Error(`${String(name)} was not reached with the keyboard.`)
}

test('unverified@demo.example walks through both pages by keyboard @once', async ({ page }) => {
  await page.goto('/sign-in?as=provider&next=/provider-verify')
  const signIn = formParts(page, 'Sign in')
  await signIn.field('Email').fill('unverified@demo.example')
  await signIn.field('Password').fill('Apposite-demo-1')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Verify your registration')
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await checkScreen(page)
  await tabTo(page, /^(?:Check the GMC register|Compare again)$/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('It all matches')).toBeVisible()
  await expect(page.getByText('Registered with licence to practise')).toBeVisible()
  await checkScreen(page)
  await tabTo(page, /^(?:Continue to|See) your company$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/company-verify')
  await expect(title(page)).toHaveText('Verify your company')
  await expect(title(page)).toBeFocused()
  await checkScreen(page)
})

test('a provider registers, verifies and sends the company in one go @once', async ({
  page,
  context,
}) => {
  const alex = { ...makePerson('provider'), lastName: 'Morgan' }
  await page.goto('/register?as=provider')
  await fillInPerson(page, alex, 'alex')
  await fillInPractice(page)
  await formParts(page, 'Register as a provider').field('Registration number').fill('9999999')
  await sendRegistration(page, 'provider')
  await expect(page).toHaveURL('/provider-verify')
  await expect(title(page)).toHaveText('Check your email')
  await checkScreen(page)
  const mailbox = await context.newPage()
  await openMail(mailbox, alex.email, 'Confirm your email address')
  const code = await codeInMail(mailbox)
  await mailbox.close()
  const confirming = formParts(page, 'Confirm with the code')
  await confirming.field('Code from the email').fill(code)
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Verify your registration')
  await expect(title(page)).toBeFocused()
  await tabTo(page, 'Check the GMC register')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It all matches')).toBeVisible()
  const proof = page.getByRole('region', { name: 'Show us that it’s you' })
  await proof.getByLabel('Document', { exact: true }).setInputFiles({
    name: 'licence.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7\n${'x'.repeat(2_000)}\n%%EOF\n`),
  })
  await expect(proof.getByText(', uploaded')).toBeVisible()
  await tabTo(page, 'Send document')
  await page.keyboard.press('Enter')
  await expect(page.getByText('We have your document')).toBeVisible()
  await checkScreen(page)
  await page.getByRole('link', { name: 'Continue to your company' }).click()
  await expect(title(page)).toHaveText('Verify your company')

  const form = formParts(page, 'Your company')
  await form.press('Send for review')
  await expect(page.getByRole('alert').first()).toBeFocused()
  await checkScreen(page)
  await form.field('Company name').fill('Harbour Surgery Ltd')
  await form.field('Registration number').fill('01234567')
  await form.field('Registered address').fill('1 Borough High Street\nLondon SE1 9GF')
  const document = page.getByLabel('Document', { exact: true })
  await document.setInputFiles({
    name: 'email.docx',
    mimeType: 'application/msword',
    buffer: Buffer.from('PK'),
  })
  await expect(page.getByText('Upload a PDF, or a JPEG, PNG or WebP image.')).toBeVisible()
  await checkScreen(page)
  await document.setInputFiles({
    name: 'certificate.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7\n${'x'.repeat(200_000)}\n%%EOF\n`),
  })
  await expect(page.getByText(', uploaded')).toBeVisible()
  await checkScreen(page)
  await form.press('Send for review')
  await expect(page.getByText('In review')).toBeVisible()
  await checkScreen(page)
  await page.reload()
  await expect(page.getByText('In review')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(page).toHaveURL('/dochome')
})

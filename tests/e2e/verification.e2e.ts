import type { Page } from '@playwright/test'
import {
  codeInMail,
  fillInPerson,
  fillInPractice,
  formParts,
  makePerson,
  openMail,
  sendRegistration,
} from './harness/accounts.ts'
import { checkScreen, expect, isWide, tabTo, test } from './harness/fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** Moves on with Tab to a button or link. */
async function tabToControl(page: Page, name: string | RegExp): Promise<void> {
  const options = { name, exact: true }
  const control = page.getByRole('button', options).or(page.getByRole('link', options))
  await tabTo(page, control.filter({ visible: true }).first())
}

test('unverified@demo.example completes both pages by keyboard @once', async ({ page }) => {
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
  await tabToControl(page, /^(?:Check the GMC register|Check again)$/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('It all matches')).toBeVisible()
  await expect(page.getByText('Registered with licence to practise')).toBeVisible()
  await tabToControl(page, /^(?:Continue to|See) your company$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/company-verify')
  await expect(title(page)).toHaveText('Verify your company')
  await expect(title(page)).toBeFocused()
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
  const mailbox = await context.newPage()
  await openMail(mailbox, alex.email, 'Confirm your email address')
  const code = await codeInMail(mailbox)
  await mailbox.close()
  const confirming = formParts(page, 'Confirm with the code')
  await confirming.field('Code from the email').fill(code)
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Verify your registration')
  await expect(title(page)).toBeFocused()
  await tabToControl(page, 'Check the GMC register')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It all matches')).toBeVisible()
  const proof = page.getByRole('region', { name: 'Show us that it’s you' })
  await proof.getByLabel('Document', { exact: true }).setInputFiles({
    name: 'licence.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7\n${'x'.repeat(2_000)}\n%%EOF\n`),
  })
  await expect(proof.getByText(', uploaded')).toBeVisible()
  await tabToControl(page, 'Send document')
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

/** Signs in on the staff's sign-in page by keyboard alone. */
async function enter(page: Page, next: string, email = 'admin@demo.example'): Promise<void> {
  await page.goto(`/admin-signin?next=${encodeURIComponent(next)}`)
  await page.getByRole('textbox', { name: 'Email' }).focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Apposite-demo-1')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Providers')
}

type Row = {
  providerId: string
  name: string
  membership_number: string
  isMatch: boolean
  isProofWaiting: boolean
}

/** Calls a query as the page itself would. */
async function ask(page: Page, path: string, input: object): Promise<unknown> {
  return page.evaluate(
    async ([name, text]) => {
      const response = await fetch(`/trpc/${name}?input=${encodeURIComponent(text)}`)
      const body: unknown = await response.json()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tRPC's response format
      return (body as { result: { data: unknown } }).result.data
    },
    [path, JSON.stringify(input)] as const,
  )
}

/**
 * Providers waiting on one register: the two projects use different registers, because they run in parallel.
 */
async function listWaiting(page: Page): Promise<Row[]> {
  const body = isWide(page) ? 'GMC' : 'NPI'
  const answer = await ask(page, 'verification.providers', { list: 'waiting', body })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in the contract
  const { providers } = answer as { providers: Row[] }
  // Another test uses this one.
  return providers.filter(({ name }) => !name.endsWith('Nikhil Menon'))
}

/** A provider listed in the register who may no longer practise. */
async function findStruckOff(page: Page): Promise<Row> {
  for (const row of await listWaiting(page)) {
    if (row.isMatch) continue
    const { providerId } = row
    const answer = await ask(page, 'verification.provider', { providerId })
    if (/"standing":"(?:struck_off|deactivated)"/.test(JSON.stringify(answer))) return row
  }
  throw new Error('No waiting provider is struck off.')
}

/** Opens a provider's page from the list by keyboard, found by their number. */
async function openByKeys(page: Page, { name, membership_number: number }: Row): Promise<void> {
  await page.getByRole('searchbox', { name: 'Name, number or email' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(number)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 provider', { exact: true }).first()).toBeVisible()
  await checkScreen(page)
  await tabToControl(page, name)
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText(name)
  await expect(title(page)).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Evidence' })).toBeVisible()
}

test('a verifier verifies one who matches and refuses one who is struck off, by keyboard alone @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 409/, /console error: Failed to load resource/)
  await enter(page, '/admin-home/providers?list=waiting')
  await expect(page.getByText(/of \d+ providers/).first()).toBeVisible()
  await checkScreen(page)
  const matching = (await listWaiting(page)).find((row) => row.isMatch && row.isProofWaiting)
  if (matching === undefined) throw new Error('No waiting provider matches and has sent a proof.')
  await openByKeys(page, matching)
  await checkScreen(page)
  await tabToControl(page, 'Look up')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Looked up by Ada Lindqvist on/)).toBeVisible()
  await tabToControl(page, 'Verify')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('There is no proof yet')
  await tabToControl(page, 'Accept as proof')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The proof is accepted.')).toBeVisible()
  await checkScreen(page)
  await tabToControl(page, 'Verify')
  await page.keyboard.press('Enter')
  const done = page.getByText('Verification status updated successfully')
  await expect(done).toBeVisible()
  await expect(page.getByText('Decided: Verified')).toBeVisible()
  await checkScreen(page)

  await page.goto('/admin-home/providers?list=waiting')
  const struckOff = await findStruckOff(page)
  await openByKeys(page, struckOff)
  await tabToControl(page, 'Verify')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The provider stays Unverified.')
  await expect(page.getByText('Not eligible')).toBeVisible()
  await tabToControl(page, 'Reject')
  await page.keyboard.press('Enter')
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  await checkScreen(page)
  await tabToControl(page, 'Reject and tell them')
  await page.keyboard.press('Enter')
  await expect(done).toBeVisible()
  await expect(page.getByText('Decided: Unverified')).toBeVisible()
  await checkScreen(page)
})

test('one key moves on in the queue, and an unavailable register’s message is shown @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 502/, /console error: Failed to load resource/)
  await enter(page, '/admin-home/providers?list=waiting')
  await tabToControl(page, 'Work through the queue')
  await page.keyboard.press('Enter')
  // The first provider may have been decided a moment ago by another test.
  await expect(page.getByText(/^(?:\d+ of )?\d+ waiting$/)).toBeVisible()
  const first = await title(page).textContent()
  await page.keyboard.press('n')
  await expect(title(page)).not.toHaveText(first ?? '')
  await expect(title(page)).toBeFocused()
  await page.goto('/admin-home/providers?search=99999')
  await page.getByRole('link', { name: /^Dr/ }).filter({ visible: true }).first().click()
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('alert')).toContainText('register is closed for maintenance.')
  await checkScreen(page)
})

test('a company’s document is downloaded, and an editor sees why they may not @once', async ({
  page,
}) => {
  await enter(page, '/admin-home/providers?list=company')
  await checkScreen(page)
  await page
    .getByRole('link', { name: /^(?:Dr|Mr|Ms|Mrs)/ })
    .filter({ visible: true })
    .first()
    .click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the document' }).click()
  expect((await downloading).suggestedFilename()).toBe('company-document.pdf')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(title(page)).toHaveText('Staff sign in')
  await enter(page, '/admin-home/providers', 'editor@demo.example')
  await expect(page.getByText('Only superusers and admins may do this.')).toBeVisible()
  await checkScreen(page)
  await page
    .getByRole('link', { name: /^(?:Dr|Mr|Ms|Mrs)/ })
    .filter({ visible: true })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible()
  await checkScreen(page)
})

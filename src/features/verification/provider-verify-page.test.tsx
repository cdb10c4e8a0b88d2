import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'

const what = 'Send the certificate of your name.'
const published = 'reception@riverside.example'

/** Text of the element with focus; of the whole page when focus is lost. */
const focused = () => document.activeElement?.textContent

async function addUnverified(testApp: Backend) {
  const { id, no, email } = await testApp.addProvider({ verification_status: 'Unverified' })
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  return { account: await testApp.addAccount(person), id }
}

test('what staff asked for is answered on the page', async ({ testApp }) => {
  const { account, id } = await addUnverified(testApp)
  await testApp.actAsColleague('verification.askAgain', { providerId: id, what })
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText(what)).toBeVisible()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('I married in May.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect.element(page.getByText('We have your answer')).toBeVisible()
  await expect.element(page.getByText(what)).not.toBeInTheDocument()
  await expect.poll(focused).toMatch(/^We have your answer/)
})

test('a provider who was refused reads what staff ask, and is back in the queue after answering', async ({
  testApp,
}) => {
  const { account, id } = await addUnverified(testApp)
  await testApp.setRegister('GMC', [])
  await testApp.actAsColleague('verification.decide', {
    providerId: id,
    seen: 'waiting',
    verification_status: 'Unverified',
    reason: 'The name is another one.',
  })
  await testApp.actAsColleague('verification.askAgain', { providerId: id, what })
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText('The name is another one.')).toBeVisible()
  await expect.element(page.getByText(what)).toBeVisible()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('I married in May.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect.element(page.getByText('We have your answer')).toBeVisible()
  await expect.element(page.getByText('The name is another one.')).not.toBeInTheDocument()
})

test('a request about the company is answered on the page of the company', async ({ testApp }) => {
  const { account, id } = await addUnverified(testApp)
  await testApp.actAsColleague('verification.askAgain', { providerId: id, what, about: 'company' })
  const { router } = await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText('Our staff need something from you')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Your answer' })).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'Answer on your company page' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/company-verify')
  await expect.element(page.getByRole('textbox', { name: 'Your answer' })).toBeVisible()
  await expect.element(page.getByText(what)).toBeVisible()
})

test('a code sent to a published address shows who the provider is', async ({ testApp }) => {
  const { account, id } = await addUnverified(testApp)
  await testApp.actAsColleague('verification.offerProofCode', {
    providerId: id,
    email: published,
    source: 'Website of the practice',
  })
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText(published)).toBeVisible()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const field = page.getByRole('textbox', { name: 'One-time code' })
  await expect.element(field).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send a new code' })).toBeDisabled()
  await expect.element(field).toHaveFocus()
  const mails = await testApp.readMails()
  const mail = mails.find(({ to }) => to === published)
  const code = /^ {4}([0-9]{6})$/m.exec(mail?.text ?? '')?.[1] ?? ''
  await field.fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByText('Invalid OTP').first()).toBeVisible()
  await field.fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect
    .element(page.getByText(/^We know that you’re the person the register names\./))
    .toBeVisible()
  await expect.element(page.getByLabelText('Document')).not.toBeInTheDocument()
  await expect.poll(focused).toBe('Show us that it’s you')
})

test('a document can be sent in its place', async ({ testApp }) => {
  const { account } = await addUnverified(testApp)
  await openSignedIn(account, '/provider-verify')
  await page.getByRole('button', { name: 'Send document' }).click()
  await expect.element(page.getByText('Add a document.').first()).toBeVisible()
  const paper = new File(['%PDF-1.7\nx\n%%EOF\n'], 'licence.pdf', { type: 'application/pdf' })
  await page.getByLabelText('Document').upload(paper)
  await expect.element(page.getByText(', uploaded')).toBeVisible()
  await page.getByRole('button', { name: 'Send document' }).click()
  await expect.element(page.getByText('We have your document')).toBeVisible()
  await expect.poll(focused).toBe('Show us that it’s you')
})

test('a provider who is Verified is not asked', async ({ testApp }) => {
  const { no, email } = await testApp.addProvider()
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  await openSignedIn(await testApp.addAccount(person), '/provider-verify')
  await expect.element(page.getByText('You are Verified')).toBeVisible()
  await expect.element(page.getByText('Show us that it’s you')).not.toBeInTheDocument()
})

import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'

const what = 'Send the certificate of your name.'

test('what staff asked for is answered on the page', async ({ testApp }) => {
  const { id, no, email } = await testApp.addProvider({ verification_status: 'Unverified' })
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  const account = await testApp.addAccount(person)
  await testApp.actAsColleague('verification.askAgain', { providerId: id, what })
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText(what)).toBeVisible()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('I married in May.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect.element(page.getByText('We have your answer')).toBeVisible()
  await expect.element(page.getByText(what)).not.toBeInTheDocument()
})

test('a request about the company is answered on the page of the company', async ({ testApp }) => {
  const { id, no, email } = await testApp.addProvider({ verification_status: 'Unverified' })
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  const account = await testApp.addAccount(person)
  await testApp.actAsColleague('verification.askAgain', { providerId: id, what, about: 'company' })
  const { router } = await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText('Our staff need something from you')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Your answer' })).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'Answer on your company page' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/company-verify')
  await expect.element(page.getByRole('textbox', { name: 'Your answer' })).toBeVisible()
  await expect.element(page.getByText(what)).toBeVisible()
})
